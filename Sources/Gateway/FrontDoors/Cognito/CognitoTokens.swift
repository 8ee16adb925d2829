import JSON
import Sessions

/// Refresh, revocation and sign-out.
struct CognitoTokens: CognitoOperations {
    let calls: CognitoCalls
    let sessions: SessionService
    let inspector: TokenInspector

    /// `GetTokensFromRefreshToken`: a new refresh token only where the app rotates it.
    func getTokensFromRefreshToken(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let token = try request.text("RefreshToken")
        let client = try client(request, &call, secret: try request.optional("ClientSecret"))
        let issued = try await sessions.refresh(token, of: client, at: .cognito, caller: call.caller)
        let isNew = issued.refreshToken != token
        var answer = CognitoAnswers.tokens(issued, refreshToken: isNew ? issued.refreshToken : nil)
        // Only challenges have them.
        answer["ChallengeParameters"] = nil
        return answer
    }

    /// `RevokeToken`: ends the session of a refresh token of this client; an unknown one is no error.
    func revokeToken(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let token = try request.text("Token")
        let client = try client(request, &call, secret: try request.optional("ClientSecret"))
        guard !token.contains(".") else {
            throw CognitoError(
                .unsupportedTokenType, "Only refresh tokens can be revoked.", code: Rejection.refreshTokenMalformed.code
            )
        }
        try await inspector.revoke(token, client: client, caller: call.caller, at: calls.directory.now)
        return [:]
    }

    /// `GlobalSignOut`.
    func globalSignOut(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let facts = try await session(request, &call).facts
        try await sessions.endAll(
            of: facts.account, asking: facts.session, client: facts.clientID, caller: call.caller)
        return [:]
    }
}
