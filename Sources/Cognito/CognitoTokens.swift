import Clients
import HTTPServer
import JSON
import Sessions
import Vocabulary

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
        let client = try revokingClient(request, &call)
        guard !token.contains(".") else {
            throw CognitoError(
                .unsupportedTokenType, "Only refresh tokens can be revoked.", code: Rejection.refreshTokenMalformed.code
            )
        }
        try await inspector.revoke(token, client: client, caller: call.caller, at: calls.directory.now)
        return [:]
    }

    /// The client of `RevokeToken`, which has an error of its own for a wrong secret.
    private func revokingClient(_ request: CognitoRequest, _ call: inout DoorCall) throws -> Client {
        do {
            return try client(request, &call, secret: try request.optional("ClientSecret"))
        } catch let error as Rejection where error == .clientAuthenticationFailed {
            throw CognitoError(.unauthorized, "The client secret is missing or wrong.", code: error.code)
        }
    }

    /// `GlobalSignOut`.
    func globalSignOut(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let facts = try await session(request, &call).facts
        try await sessions.endAll(
            of: facts.account, asking: facts.session, client: facts.clientID, caller: call.caller)
        return [:]
    }
}
