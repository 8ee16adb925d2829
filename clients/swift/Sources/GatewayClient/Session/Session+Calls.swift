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
        let token = try await accessToken()
        do {
            return try await circumstances.api.send(call, bearer: token).0
        } catch let error as GatewayError {
            try await endIfRefused(error)
            guard error.code == .accessTokenExpired || error.code == .accessTokenInvalid else { throw error }
        }
        let fresh = try await renewed(insteadOf: token)
        do {
            return try await circumstances.api.send(call, bearer: fresh).0
        } catch let error as GatewayError {
            try await endIfRefused(error)
            throw error
        }
    }

    /// Another call may have refreshed already: the refused token is then an old one.
    func renewed(insteadOf token: String) async throws -> String {
        if tokens.access.value != token, refreshing == nil { return try await accessToken() }
        return try await refresh().access.value
    }
}
