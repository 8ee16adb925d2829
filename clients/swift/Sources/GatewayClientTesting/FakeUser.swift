import GatewayClient

/// The user who signs in.
public struct FakeUser: Sendable {
    /// The account's id.
    public var id: String
    /// The proved address; nil for an account without one.
    public var email: String?
    /// The name to show.
    public var displayName: String?
    /// Whether the account has no credential yet.
    public var isGuest: Bool
    /// Whether the sign-in creates the account.
    var isNew = false

    /// A user with these facts.
    public init(
        email: String? = "ann@example.com", displayName: String? = nil, isGuest: Bool = false,
        id: String = "00000000-0000-7000-8000-000000000001"
    ) {
        (self.email, self.displayName, self.isGuest, self.id) = (email, displayName, isGuest, id)
    }

    /// The user of a sign-in's request.
    init(signIn body: JSONValue?) {
        let isGuest = body?["provider"] == "guest"
        let name = body?["credential"]?["username"]?.string
        self.init(email: isGuest ? nil : Self.address(name) ?? "ann@example.com", isGuest: isGuest)
        isNew = isGuest
    }

    /// The user of a sign-up's form.
    init(signUp body: JSONValue?) {
        let email = body?["email"]?.string ?? Self.address(body?["username"]?.string)
        self.init(email: email, displayName: body?["display_name"]?.string)
        isNew = true
    }

    private static func address(_ name: String?) -> String? { name.flatMap { $0.contains("@") ? $0 : nil } }

    /// The account as a sign-in answers it.
    var account: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "id": .string(id), "display_name": displayName.map(JSONValue.string) ?? .null,
            "email": email.map(JSONValue.string) ?? .null, "email_verified": .bool(email != nil),
            "created_at": "2026-01-01T00:00:00Z",
        ]
        if isGuest { members["guest"] = true }
        return members
    }

    /// The account as `GET /v1/account` answers it.
    var profile: [String: JSONValue] {
        account.merging([
            "user_name": nil, "phone": nil, "phone_verified": false, "attributes": [:], "first_factor": nil,
        ]) { $1 }
    }
}
