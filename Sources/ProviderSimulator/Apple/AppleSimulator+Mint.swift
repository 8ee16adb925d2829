import Cryptography
import JSON

extension AppleSimulator {
    /// ID tokens live a day.
    static let lifetime = 86_400

    /// An ID token in the form of `ASAuthorizationAppleIDCredential`, and its code.
    ///
    /// The order's nonce is the raw one: a native app sends Apple its SHA-256, a web page sends it unchanged.
    func mint(_ order: MintOrder, for person: Person) throws -> Minted {
        let code = "c" + RandomText.hex(16) + ".0.rrxx." + RandomText.base64URL(16)
        let claims = order.claims(claims(order, for: person, code: code))
        let token = try forge.token(claims, header: order.header, signing: order.signing)
        var members: JSONObject = ["provider": "apple", "id_token": .string(token)]
        var credential: JSONObject = ["id_token": .string(token)]
        if order.withCode {
            let proof = self.add(code, order: order, claims: claims)
            credential["authorization_code"] = .string(code)
            members["authorization_code"] = .string(code)
            members.add("redirect_uri", redirectURI(order))
            members.add("code_verifier", proof)
        }
        credential.add("nonce", order.nonce)
        members["claims"] = .object(claims)
        return Minted(members: members, token: token, credential: credential)
    }

    private func claims(_ order: MintOrder, for person: Person, code: String) -> JSONObject {
        var claims: JSONObject = [
            "iss": .string(Defaults.appleIssuer), "aud": .string(order.clientID),
            "exp": .integer(order.seconds + Self.lifetime), "iat": .integer(order.seconds),
            "sub": .string(person.appleSubject),
        ]
        claims.add("nonce", order.nonce.map { isWeb(order) ? $0 : Hex.encode(SHA256.hash($0)) })
        claims["c_hash"] = .string(TokenHash.of(code))
        claims["email"] = .string(person.email)
        claims["email_verified"] = "true"
        if person.email.hasSuffix("@privaterelay.appleid.com") { claims["is_private_email"] = "true" }
        claims["auth_time"] = .integer(order.seconds)
        claims["nonce_supported"] = true
        return claims
    }

    /// Binds the code; its tokens carry the same claims, with times and hashes of their own.
    private func add(_ code: String, order: MintOrder, claims: JSONObject) -> String? {
        let proof = isWeb(order) || order.challenge != .generated ? ProofKey.of(order.challenge) : (nil, nil)
        let bought = claims.overridden(by: ["iat": nil, "exp": nil, "c_hash": nil, "at_hash": nil])
        secrets.register(order.clientID, asService: isWeb(order))
        codes.add(
            .init(
                clientID: order.clientID, redirectURI: redirectURI(order), challenge: proof.0, issuedAt: order.now,
                payload: order.replaced("code_claims", in: bought)),
            as: code)
        return proof.1
    }

    private func isWeb(_ order: MintOrder) -> Bool {
        order.clientID.hasSameBytes(as: Defaults.appleWebClient) || order.redirectURI != nil
    }

    private func redirectURI(_ order: MintOrder) -> String? {
        order.redirectURI ?? (isWeb(order) ? Defaults.redirectURI : nil)
    }
}

extension Person {
    var appleSubject: String { subject ?? "001999.\(digits(32, for: "apple")).1200" }
}
