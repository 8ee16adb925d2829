import Cryptography
import FoundationEssentials
import JSON

extension LINESimulator {
    /// `POST token`: exchanges a code for an access token and an ID token signed with the channel secret.
    func token(_ request: Received) throws -> Answer {
        let form = try request.form(
            required: ["grant_type", "code", "redirect_uri", "client_id", "client_secret"], optional: ["code_verifier"])
        let client = try desk.clients.identify(form, request)
        guard form.value("grant_type") == "authorization_code" else {
            throw Refusal.badRequest("unsupported_grant_type", "grant_type is not supported")
        }
        let bought: IDTokenPurchase
        do { bought = try desk.redeem(form, of: client.id, at: request.now) } catch {
            throw Refusal.badRequest("invalid_grant", "invalid authorization code", reason: error.reason)
        }
        let seconds = Int(request.now.timeIntervalSince1970)
        let fresh: JSONObject = ["exp": .integer(seconds + Self.lifetime), "iat": .integer(seconds)]
        return .secret([
            "access_token": .string(RandomText.base64URL(90)), "expires_in": 2_592_000,
            "id_token": .string(give(fresh.overridden(by: bought.claims))),
            "refresh_token": .string(RandomText.base64URL(15)),
            "scope": .string(bought.scopes.joined(separator: " ")), "token_type": "Bearer",
        ])
    }

    /// `POST verify`: the claims of an ID token, if it belongs to this channel and matches the expected values.
    func verify(_ request: Received) throws -> Answer {
        let form = try request.form(required: ["id_token", "client_id"], optional: ["nonce", "user_id"])
        guard let claims = idTokens[form.value("id_token")] else { throw Refusal.invalidRequest("Invalid IdToken.") }
        let isExpired = claims["exp"]?.integer.map { $0 <= Int(request.now.timeIntervalSince1970) } ?? false
        guard !isExpired else { throw Refusal.invalidRequest("IdToken expired.") }
        let expected = [
            ("aud", form["client_id"], "Invalid IdToken Audience."), ("nonce", form["nonce"], "Invalid IdToken Nonce."),
            ("sub", form["user_id"], "Invalid IdToken Subject Identifier."),
        ]
        for (claim, value, problem) in expected {
            guard let value else { continue }
            guard claims[claim]?.string?.hasSameBytes(as: value) == true else { throw Refusal.invalidRequest(problem) }
        }
        return .secret(.object(claims))
    }

    /// Issues an ID token of the web.
    private func give(_ claims: JSONObject) -> String {
        let header: JSON = ["typ": "JWT", "alg": "HS256"]
        let signed = Base64URL.encode(header.bytes()) + "." + Base64URL.encode(JSON.object(claims).bytes())
        let signature = HMACSHA256.code(Array(signed.utf8), key: Array(Defaults.lineSecret.utf8))
        let token = signed + "." + Base64URL.encode(signature)
        idTokens.add(claims, as: token)
        return token
    }
}
