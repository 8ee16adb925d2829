import JSON

extension GitHubSimulator {
    /// A code with its verifier, and an access token of the same kind as the exchanged one.
    func mint(_ order: MintOrder, for person: Person) throws -> Minted {
        let access = access(order, for: person)
        var minted = desk.mint(order, for: name, opening: access)
        minted.members["user"] = .object(access.user)
        minted.members["emails"] = .array(access.emails)
        return minted
    }

    /// The addresses of an account: GitHub's own, which receives no mail, and the user's.
    static func emails(of person: Person, isVerified: Bool = true, isPublic: Bool = false) -> [JSON] {
        let relay: JSON = [
            "email": .string("\(subject(of: person))+\(login(of: person))@users.noreply.github.com"),
            "primary": false, "verified": true, "visibility": nil,
        ]
        let own: JSON = [
            "email": .string(person.email), "primary": true, "verified": .bool(isVerified),
            "visibility": isPublic ? "public" : "private",
        ]
        return person.email.isEmpty ? [relay] : [relay, own]
    }

    func access(_ order: MintOrder, for person: Person) -> Access {
        let subject = Self.subject(of: person)
        let user: JSONObject = [
            // A subject that is not a number is sent unchanged.
            "login": .string(Self.login(of: person)), "id": Int(subject).map(JSON.integer) ?? .string(subject),
            "type": "User", "site_admin": false, "name": person.name.isEmpty ? nil : .string(person.name), "email": nil,
        ]
        return Access(
            user: order.replaced("profile", in: user), emails: order.emails ?? Self.emails(of: person),
            scopes: order.scopes ?? Self.scopes)
    }

    private static func subject(of person: Person) -> String {
        person.subject ?? String(Int(person.digits(7, for: "github"), radix: 16) ?? 1)
    }

    /// Names can pass to another user at GitHub, so no client may identify users by name.
    private static func login(of person: Person) -> String {
        "user-" + person.digits(8, for: "github-login")
    }
}
