package import JSON

/// The data that a sign-up lacked, and other data of its form.
package struct SignUpData: Sendable, Equatable {
    package var password: String?
    package var displayName: String?
    package var attributes: JSONObject
    /// Whether more data may follow in another answer; otherwise everything that is missing must be here.
    package var isPart: Bool

    package init(
        password: String? = nil, displayName: String? = nil, attributes: JSONObject = [:], isPart: Bool = false
    ) {
        (self.password, self.displayName, self.attributes) = (password, displayName, attributes)
        self.isPart = isPart
    }
}
