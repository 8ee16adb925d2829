import JSON

/// The single claims that an authorization request names, by where they go (`claims`, OpenID Connect Core §5.5).
package struct RequestedClaimNames: Sendable, Equatable {
    package let userInfo: Set<String>
    package let idToken: Set<String>

    package static let none = RequestedClaimNames(userInfo: [], idToken: [])

    package init(userInfo: Set<String>, idToken: Set<String>) {
        (self.userInfo, self.idToken) = (userInfo, idToken)
    }

    package var all: Set<String> { userInfo.union(idToken) }

    /// - Parameter stored: null for none.
    init(stored: String?) throws {
        guard let json = try stored.map({ try JSON(parsing: $0) }) else {
            self = .none
            return
        }
        func names(_ part: String) -> Set<String> { Set((json[part]?.array ?? []).compactMap(\.string)) }
        self.init(userInfo: names("userinfo"), idToken: names("id_token"))
    }

    /// Nil for none.
    var stored: JSON? {
        guard self != .none else { return nil }
        return [
            "userinfo": .array(userInfo.sorted().map(JSON.string)),
            "id_token": .array(idToken.sorted().map(JSON.string)),
        ]
    }
}
