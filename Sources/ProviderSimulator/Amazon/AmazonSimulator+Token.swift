import FoundationEssentials
import JSON

extension AmazonSimulator {
    /// `POST /auth/o2/token`: exchanges a code or a refresh token for new tokens.
    func token(_ request: Received) throws -> Answer {
        let form = try request.form(
            required: ["grant_type"],
            optional: ["client_id", "client_secret", "code", "redirect_uri", "code_verifier", "refresh_token"])
        let client = try clients.identify(form, request)
        switch form.value("grant_type") {
        case "authorization_code": return try exchange(form, client, at: request.now)
        case "refresh_token": return try refresh(form, client, at: request.now)
        default: throw Refusal.badRequest("unsupported_grant_type", "The grant type is not supported.")
        }
    }

    private func exchange(_ form: Parameters, _ client: PresentedClient, at now: Date) throws -> Answer {
        let credentials = client.formMembers
        try request(form, has: credentials.union(["grant_type", "code", "redirect_uri"]), or: ["code_verifier"])
        try ProofKey.expectWellFormed(form["code_verifier"])
        let grant: CodeStore<Purchase>.Grant
        do {
            grant = try codes.redeem(
                form.value("code"), clientID: client.id, redirectURI: form["redirect_uri"],
                verifier: form["code_verifier"], at: now)
        } catch {
            throw invalidGrant("code", error.reason)
        }
        // Apps cannot keep a secret; all other clients must present it.
        guard client.isAuthenticated || grant.payload.isPublicClient else { throw clients.refusal("no client secret") }
        return tokens(for: grant.payload, at: now)
    }

    private func refresh(_ form: Parameters, _ client: PresentedClient, at now: Date) throws -> Answer {
        try request(form, has: client.formMembers.union(["grant_type", "refresh_token"]), or: [])
        guard let purchase = refreshTokens[form.value("refresh_token")] else {
            throw invalidGrant("refresh_token", "the refresh token is unknown")
        }
        guard purchase.clientID.hasSameBytes(as: client.id) else {
            throw invalidGrant("refresh_token", "the refresh token was issued to another client")
        }
        guard client.isAuthenticated || purchase.isPublicClient else { throw clients.refusal("no client secret") }
        return tokens(for: purchase, at: now)
    }

    private func tokens(for purchase: Purchase, at now: Date) -> Answer {
        let seconds = Int(now.timeIntervalSince1970)
        let usual = purchase.access
        let access = Access(
            issuedAt: now, tokenInfo: usual.tokenInfo.overridden(by: ["iat": .integer(seconds)]),
            expiry: usual.expiry, profile: usual.profile)
        let refreshToken = "Atzr|" + opaque()
        refreshTokens.add(purchase, as: refreshToken)
        return .secret([
            "access_token": .string(issue(access)), "refresh_token": .string(refreshToken), "token_type": "bearer",
            "expires_in": .integer(Self.lifetime),
        ])
    }

    private func request(_ form: Parameters, has required: Set<String>, or optional: Set<String>) throws(Refusal) {
        do {
            try form.expect(required: required, optional: optional)
        } catch {
            throw .invalidRequest(error.description)
        }
    }

    private func invalidGrant(_ parameter: String, _ reason: String) -> Refusal {
        Refusal.badRequest("invalid_grant", "The request has an invalid grant parameter : \(parameter)", reason: reason)
    }
}
