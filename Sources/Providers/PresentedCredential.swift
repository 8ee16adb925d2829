package import JSON

/// The unverified `credential` that an app sends for a provider; the adapter reads its members.
package struct PresentedCredential: Sendable, Equatable {
    package let members: JSONObject

    package init(_ members: JSONObject) { self.members = members }

    /// Whether it begins a step-by-step sign-in.
    package var hasUsername: Bool { members["username"] != nil }

    /// Whether it has an authorization code, which works only once.
    package var hasAuthorizationCode: Bool { members["authorization_code"] != nil }

    package var nonce: String? { members["nonce"]?.string }

    /// - Parameter most: the greatest length in bytes.
    package func username(most: Int) throws(ProviderError) -> String {
        do { _ = try members.only(["username", "password"]) } catch { throw ProviderError(error) }
        return try text("username", most: most)
    }

    /// Nil if none was sent.
    package func password(most: Int) throws(ProviderError) -> String? {
        members["password"] == nil ? nil : try text("password", most: most)
    }

    private func text(_ name: String, most: Int) throws(ProviderError) -> String {
        do {
            return try members.requiredText(name, most: most)
        } catch {
            throw ProviderError(error, missing: "required", tooLong: "too_long", wrongType: "required")
        }
    }
}
