import JSON

extension CognitoSimulator {
    /// The ID token and the access token of one sign-in; `claims`, `header` and `signing` concern the ID token.
    func mint(_ order: MintOrder, for person: Person) throws -> Minted {
        let pool = order.pool ?? Defaults.cognitoPool
        pools.register(pool)
        let subject = person.subject ?? person.guid(for: "cognito")
        let common = common(order, subject: subject, pool: pool)
        let claims = order.claims(common.overridden(by: identity(order, person, subject)))
        let token = try identityForge.token(claims, header: order.header, signing: order.signing)
        let accessClaims = order.replaced("access_claims", in: common.overridden(by: access(order, subject)))
        let accessToken = try accessForge.token(accessClaims)
        var credential: JSONObject = ["id_token": .string(token)]
        credential.add("nonce", order.nonce)
        return Minted(
            members: [
                "provider": "cognito", "id_token": .string(token), "access_token": .string(accessToken),
                "claims": .object(claims), "access_claims": .object(accessClaims),
            ], token: token, credential: credential)
    }

    private func common(_ order: MintOrder, subject: String, pool: String) -> JSONObject {
        [
            "sub": .string(subject), "iss": .string(Self.issuer(of: pool)), "origin_jti": .string(GUID.random()),
            "event_id": .string(GUID.random()), "auth_time": .integer(order.seconds),
            "exp": .integer(order.seconds + 3600), "iat": .integer(order.seconds),
        ]
    }

    private func identity(_ order: MintOrder, _ person: Person, _ subject: String) -> JSONObject {
        var claims: JSONObject = [
            "email_verified": true, "cognito:username": .string(subject), "aud": .string(order.clientID),
            "token_use": "id", "jti": .string(GUID.random()), "email": .string(person.email),
            "name": .string(person.name),
        ]
        claims.add("nonce", order.nonce)
        return claims
    }

    private func access(_ order: MintOrder, _ subject: String) -> JSONObject {
        [
            "client_id": .string(order.clientID), "token_use": "access", "scope": "aws.cognito.signin.user.admin",
            "jti": .string(GUID.random()), "username": .string(subject),
        ]
    }
}
