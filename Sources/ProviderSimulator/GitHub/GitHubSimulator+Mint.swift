import JSON

extension GitHubSimulator {
    /// A code with its verifier, and an access token of the same kind as the exchanged one.
    func mint(_ order: MintOrder, for person: Person) throws -> Minted {
        let access = access(order, for: person)
        let token = issue(access)
        var members: JSONObject = ["provider": "github", "access_token": .string(token)]
        var credential: JSONObject = [:]
        if order.withCode {
            let (code, verifier, redirectURI) = add(order)
            credential["authorization_code"] = .string(code)
            credential.add("code_verifier", verifier)
            credential["redirect_uri"] = .string(redirectURI)
        }
        members = members.overridden(by: credential)
        members["user"] = .object(access.user)
        members["emails"] = .array(access.emails)
        return Minted(members: members, token: token, credential: credential, codeCredential: credential)
    }

    /// Registers a new access token.
    func issue(_ access: Access) -> String {
        let token = "gho_" + RandomText.hex(18)
        accessTokens.add(access, as: token)
        return token
    }

    /// Binds a new code, and returns the verifier if the simulator made it.
    func add(_ order: MintOrder) -> (code: String, verifier: String?, redirectURI: String) {
        let code = RandomText.hex(10)
        let proof = ProofKey.of(order.challenge)
        let redirectURI = order.redirectURI ?? Defaults.redirectURI
        clients.register(order.clientID)
        codes.add(
            .init(
                clientID: order.clientID, redirectURI: redirectURI, challenge: proof.challenge, issuedAt: order.now,
                payload: access(order, for: order.person)),
            as: code)
        return (code, proof.verifier, redirectURI)
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

    private func access(_ order: MintOrder, for person: Person) -> Access {
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
