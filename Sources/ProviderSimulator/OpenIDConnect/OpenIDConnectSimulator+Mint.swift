import JSON

extension OpenIDConnectSimulator {
    /// An ID token in the form of a sign-in SDK, and a code with its verifier for another one.
    func mint(_ order: MintOrder, for person: Person) throws -> Minted {
        let claims = order.claims(claims(order, for: person))
        let token = try forge.token(claims, header: order.header, signing: order.signing)
        var members: JSONObject = ["provider": .string(name.rawValue), "id_token": .string(token)]
        var minted = Minted(members: [:], token: token, credential: ["id_token": .string(token)])
        minted.credential.add("nonce", order.nonce)
        if order.withCode {
            var credential = add("4/" + RandomText.base64URL(32), order: order, claims: claims)
            members = members.overridden(by: credential)
            credential.add("nonce", order.nonce)
            minted.codeCredential = credential
        }
        members["claims"] = .object(claims)
        minted.members = members
        return minted
    }

    private func claims(_ order: MintOrder, for person: Person) -> JSONObject {
        var claims: JSONObject = [
            "iss": .string(settings.issuer), "azp": .string(order.clientID), "aud": .string(order.clientID),
            "sub": .string(person.subject ?? subject(of: person)),
        ]
        claims = claims.overridden(by: settings.furtherClaims)
        claims["email"] = .string(person.email)
        claims["email_verified"] = true
        claims.add("nonce", order.nonce)
        claims["name"] = .string(person.name)
        claims["iat"] = .integer(order.seconds)
        claims["exp"] = .integer(order.seconds + Self.lifetime)
        claims["jti"] = .string(RandomText.hex(20))
        return claims
    }

    private func subject(of person: Person) -> String {
        let digits = person.digits(40, for: name.rawValue)
        guard settings.hasNumericSubjects else { return "user-\(digits.prefix(16))" }
        return "1" + digits.utf8.prefix(20).map { String($0 % 10) }.joined()
    }

    /// The tokens of the code carry the same claims, with times and hashes of their own.
    private func add(_ code: String, order: MintOrder, claims: JSONObject) -> JSONObject {
        let bought = claims.overridden(by: ["iat": nil, "exp": nil, "at_hash": nil, "jti": nil])
        clients.register(order.clientID)
        return codes.add(
            code, of: order,
            opening: IDTokenPurchase(
                claims: order.replaced("code_claims", in: bought), scopes: order.scopes ?? Self.scopes))
    }
}
