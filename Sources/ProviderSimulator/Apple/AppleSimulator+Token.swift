import Cryptography
import FoundationEssentials
import JSON

extension AppleSimulator {
    /// `POST /auth/token`: exchanges a code or a refresh token for new tokens, or issues a token of the team itself.
    func token(_ request: Received) throws -> Answer {
        let form = try request.form(
            required: ["client_id", "client_secret", "grant_type"],
            optional: ["code", "redirect_uri", "code_verifier", "refresh_token", "scope"])
        let team = try secrets.check(form.value("client_secret"), of: form.value("client_id"), at: request.now)
        switch form.value("grant_type") {
        case "authorization_code": return try exchange(form, at: request.now)
        case "refresh_token": return try refresh(form, at: request.now)
        case "client_credentials": return try migrationToken(form, of: team, at: request.now)
        default: throw Refusal.badRequest("unsupported_grant_type", "The grant type is not supported.")
        }
    }

    /// `POST /auth/revoke`: 200 without a body, even if there was nothing to revoke.
    func revoke(_ request: Received) throws -> Answer {
        let form = try request.form(
            required: ["client_id", "client_secret", "token"], optional: ["token_type_hint"])
        try secrets.check(form.value("client_secret"), of: form.value("client_id"), at: request.now)
        let hint = form["token_type_hint"]
        guard [nil, "refresh_token", "access_token"].contains(hint) else {
            throw Refusal.invalidRequest("token_type_hint is refresh_token or access_token")
        }
        let token = form.value("token")
        if let grant = refreshTokens[token] {
            guard hint != "access_token" else { throw Refusal.invalidRequest("the token is not of the hinted type") }
            guard grant.clientID.hasSameBytes(as: form.value("client_id")) else {
                throw invalidGrant("the refresh token was issued to another client")
            }
            refreshTokens.remove(token)
            introductions.forget(grant.claims["sub"]?.string ?? "", to: grant.clientID)
        }
        return Answer(body: .none)
    }

    private func exchange(_ form: Parameters, at now: Date) throws -> Answer {
        try expect(["client_id", "client_secret", "grant_type", "code"], ["redirect_uri", "code_verifier"], in: form)
        let grant: CodeStore<JSONObject>.Grant
        do {
            grant = try codes.redeem(
                form.value("code"), clientID: form.value("client_id"), redirectURI: form["redirect_uri"],
                verifier: form["code_verifier"], at: now)
        } catch {
            throw refusal(of: error, client: form.value("client_id"))
        }
        let refreshToken = "r" + RandomText.hex(16) + ".0.rrxx." + RandomText.base64URL(16)
        refreshTokens.add(RefreshGrant(clientID: grant.clientID, claims: grant.payload), as: refreshToken)
        return .secret(.object(try tokens(for: grant.payload, at: now, refreshToken: refreshToken)))
    }

    private func refresh(_ form: Parameters, at now: Date) throws -> Answer {
        try expect(["client_id", "client_secret", "grant_type", "refresh_token"], [], in: form)
        guard let grant = refreshTokens[form.value("refresh_token")] else {
            throw invalidGrant("the refresh token is unknown or revoked")
        }
        guard grant.clientID.hasSameBytes(as: form.value("client_id")) else {
            throw invalidGrant("the refresh token was issued to another client")
        }
        return .secret(.object(try tokens(for: grant.claims.overridden(by: ["nonce": nil]), at: now)))
    }

    /// The members of a token answer; a refresh has no new refresh token.
    private func tokens(for claims: JSONObject, at now: Date, refreshToken: String? = nil) throws -> JSONObject {
        let accessToken = "a" + RandomText.hex(16) + ".0.rrxx." + RandomText.base64URL(16)
        let seconds = Int(now.timeIntervalSince1970)
        let fresh = JSONObject([
            .init(name: "iat", value: .integer(seconds)), .init(name: "exp", value: .integer(seconds + Self.lifetime)),
            .init(name: "at_hash", value: .string(TokenHash.of(accessToken))),
        ])
        var answer: JSONObject = [
            "access_token": .string(accessToken), "token_type": "Bearer", "expires_in": 3600,
        ]
        answer.add("refresh_token", refreshToken)
        answer["id_token"] = .string(try forge.token(fresh.overridden(by: claims)))
        return answer
    }

    func expect(_ required: Set<String>, _ optional: Set<String>, in form: Parameters) throws(Refusal) {
        do {
            try form.expect(required: required, optional: optional)
        } catch {
            throw .invalidRequest(error.description)
        }
    }

    private func invalidGrant(_ reason: String) -> Refusal {
        Refusal.badRequest("invalid_grant", "The token has expired or has been revoked.", reason: reason)
    }

    private func refusal(of problem: CodeProblem, client: String) -> Refusal {
        switch problem {
        case .spent: Refusal.badRequest("invalid_grant", "The code has already been used.")
        case .unknown, .expired, .verifierMismatch:
            Refusal.badRequest("invalid_grant", "The code has expired or has been revoked.", reason: problem.reason)
        case .foreignClient:
            Refusal.badRequest(
                "invalid_grant", "client_id mismatch. The code was not issued to \(client).",
                reason: problem.reason)
        case .redirectMismatch:
            Refusal.badRequest("invalid_client", "Invalid redirect_uri.", reason: problem.reason)
        }
    }
}

/// `at_hash` and `c_hash` (OpenID Connect Core §3.1.3.6, §3.3.2.11): the left half of the digest.
enum TokenHash {
    static func of(_ text: String) -> String {
        Base64URL.encode(Array(SHA256.hash(text).prefix(16)))
    }
}
