import Clients
import Foundation
import HTTPServer
import JSON
import Sessions
import Vocabulary

/// `REFRESH_TOKEN_AUTH` of `InitiateAuth`.
extension CognitoSignIn {
    /// Its refusals are about the refresh token, not about a sign-in.
    func refreshed(
        _ request: CognitoRequest, _ parameters: CognitoTexts, _ call: inout DoorCall
    ) async throws -> JSONObject {
        do {
            return try await refresh(request, parameters, &call)
        } catch let rejection as Rejection {
            call.accountID = call.accountID ?? rejection.account
            throw CognitoError(rejection, about: .refresh, clientID: call.dialectClientID)
        }
    }

    /// `REFRESH_TOKEN_AUTH`: new tokens beside the same refresh token.
    ///
    /// The clients compute the hash over one of the user's names; the oldest one sends the secret itself.
    private func refresh(
        _ request: CognitoRequest, _ parameters: CognitoTexts, _ call: inout DoorCall
    ) async throws -> JSONObject {
        let token = try parameters.required("REFRESH_TOKEN")
        let (client, _) = try client(request, &call)
        guard client.refreshRotation == .relaxed else {
            throw CognitoError.invalid(
                "Refresh token rotation is enabled for this client: use GetTokensFromRefreshToken.")
        }
        try await prove(client, parameters["SECRET_HASH"], of: token)
        let issued = try await sessions.refresh(token, of: client, at: .cognito, caller: call.caller)
        return CognitoAnswers.tokens(issued, refreshToken: nil)
    }

    /// The request names no user, so the hash may cover any name of the session's account.
    private func prove(_ client: Client, _ hash: String?, of token: String) async throws {
        guard client.kind == .confidential else { return }
        guard let hash, let app = client.dialects.cognito else { throw Rejection.clientAuthenticationFailed }
        if client.authenticates(secret: hash) { return }
        let code = Data(base64Encoded: hash).map(Array.init) ?? []
        let names = try await sessions.userNames(ofRefreshToken: token)
        let isProved = names.contains { name in
            client.secret?.authenticates(Array((name + app.clientID).utf8), by: code) == true
        }
        guard isProved else { throw Rejection.clientAuthenticationFailed }
    }
}
