import Cryptography
import JSON

extension MicrosoftSimulator {
    /// A v2.0 ID token in the form of MSAL, and a code with its verifier for another one.
    func mint(_ order: MintOrder, for person: Person) throws -> Minted {
        let tenant = tenants.register(order.tenant ?? Defaults.microsoftTenant, isExternal: order.isExternalTenant)
        let claims = order.claims(claims(order, for: person, in: tenant))
        let token = try forge.token(claims, header: order.header, signing: order.signing)
        var credential: JSONObject = ["id_token": .string(token)]
        credential.add("nonce", order.nonce)
        var members: JSONObject = ["provider": "microsoft", "id_token": .string(token)]
        if order.withCode { members = members.overridden(by: add(order, claims: claims)) }
        members["claims"] = .object(claims)
        return Minted(members: members, token: token, credential: credential)
    }

    /// The claims: `oid` names the user in the tenant, `sub` differs for each client.
    private func claims(_ order: MintOrder, for person: Person, in tenant: Tenant) -> JSONObject {
        let objectID = person.subject ?? person.guid(for: "microsoft")
        let pairwise = SHA256.hash("\(order.clientID):\(tenant.id):\(objectID)")
        var claims: JSONObject = [
            "ver": "2.0", "iss": .string(tenant.issuer), "sub": .string(Base64URL.encode(pairwise)),
            "aud": .string(order.clientID), "exp": .integer(order.seconds + 3600), "iat": .integer(order.seconds),
            "nbf": .integer(order.seconds), "name": .string(person.name),
            "preferred_username": .string(person.email), "oid": .string(objectID),
            "email": .string(person.email), "tid": .string(tenant.id),
        ]
        claims.add("nonce", order.nonce)
        claims["uti"] = .string(RandomText.base64URL(16))
        return claims
    }

    /// The tokens of the code carry the same claims, with times of their own.
    private func add(_ order: MintOrder, claims: JSONObject) -> JSONObject {
        let bought = claims.overridden(by: ["iat": nil, "nbf": nil, "exp": nil, "uti": nil])
        clients.register(order.clientID)
        return codes.add(
            "1.A" + RandomText.base64URL(48), of: order,
            opening: IDTokenPurchase(
                claims: order.replaced("code_claims", in: bought), scopes: order.scopes ?? Self.scopes))
    }
}
