import Foundation

extension Session {
    /// Sends a call of the account and decodes the answer.
    func answer<Answer: Decodable>(_ call: APICall) async throws -> Answer {
        let data = try await perform(call)
        do {
            return try API.decoder.decode(Answer.self, from: data)
        } catch {
            throw GatewayError.unreadableAnswer(status: 200)
        }
    }

    /// Sends a call of the account; once more with a new token if the gateway says that the token has expired.
    @discardableResult
    func perform(_ call: APICall) async throws -> Data {
        let token = try await access()
        do {
            return try await circumstances.api.send(call, .token(token)).0
        } catch let error as GatewayError {
            try await endIfRefused(error)
            guard error.code == .accessTokenExpired || error.code == .accessTokenInvalid else { throw error }
        }
        let fresh = try await renewed(insteadOf: token)
        do {
            return try await circumstances.api.send(call, .token(fresh)).0
        } catch let error as GatewayError {
            try await endIfRefused(error)
            throw error
        }
    }

    /// Another call may have refreshed already: the refused token is then an old one.
    func renewed(insteadOf token: AccessToken) async throws -> AccessToken {
        if tokens.access != token.value, refreshing == nil { return try await access() }
        return try await refresh().accessToken
    }
}
