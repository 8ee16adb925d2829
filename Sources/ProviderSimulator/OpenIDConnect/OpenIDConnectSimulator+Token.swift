import FoundationEssentials
import JSON

extension OpenIDConnectSimulator {
    /// `POST token`: exchanges an authorization code for an ID token (RFC 6749 §4.1.3).
    func token(_ request: Received) throws -> Answer {
        let form = try request.form(
            required: ["grant_type"], optional: ["client_id", "client_secret", "code", "redirect_uri", "code_verifier"])
        let client = try clients.identify(form, request)
        guard client.isAuthenticated else { throw clients.refusal("no client secret") }
        guard form.value("grant_type") == "authorization_code" else {
            throw Refusal.badRequest("unsupported_grant_type", "The grant type is not supported.")
        }
        do {
            try form.expect(
                required: client.formMembers.union(["grant_type", "code", "redirect_uri"]), optional: ["code_verifier"])
        } catch {
            throw Refusal.invalidRequest(error.description)
        }
        try ProofKey.expectWellFormed(form["code_verifier"])
        return try exchange(form, client, at: request.now)
    }

    private func exchange(_ form: Parameters, _ client: PresentedClient, at now: Date) throws -> Answer {
        let grant: CodeStore<IDTokenPurchase>.Grant
        do {
            grant = try codes.redeem(
                form.value("code"), clientID: client.id, redirectURI: form["redirect_uri"],
                verifier: form["code_verifier"], at: now)
        } catch {
            throw Refusal.badRequest("invalid_grant", "Bad Request", reason: error.reason)
        }
        let accessToken = settings.accessTokenPrefix + RandomText.base64URL(48)
        let seconds = Int(now.timeIntervalSince1970)
        let fresh: JSONObject = [
            "iat": .integer(seconds), "exp": .integer(seconds + Self.lifetime),
            "at_hash": .string(TokenHash.of(accessToken)),
        ]
        return .secret([
            "access_token": .string(accessToken), "expires_in": .integer(Self.lifetime),
            "scope": .string(grant.payload.scopes.joined(separator: " ")), "token_type": "Bearer",
            "id_token": .string(try forge.token(fresh.overridden(by: grant.payload.claims))),
        ])
    }
}

extension ProofKey {
    static func expectWellFormed(_ verifier: String?) throws(Refusal) {
        guard let verifier, !isWellFormed(verifier) else { return }
        throw .invalidRequest("code_verifier is not 43 to 128 unreserved characters")
    }
}
