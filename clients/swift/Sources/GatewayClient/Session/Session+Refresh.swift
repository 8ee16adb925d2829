import Foundation

extension Session {
    /// Joins the refresh under way or starts one.
    ///
    /// It continues if a caller is cancelled: its answer must not be lost.
    func refresh() async throws -> SessionTokens {
        if let end { throw GatewayError.sessionEnded(end) }
        if let refreshing { return try await refreshing.value }
        let task = Task { try await self.renew() }
        refreshing = task
        return try await task.value
    }

    /// An app extension may have refreshed meanwhile, or signed out: the store knows.
    private func renew() async throws -> SessionTokens {
        defer { refreshing = nil }
        guard let stored = try await circumstances.storage.load(), stored.id == id else {
            try await finish(SessionEnd(.signedOut))
            throw GatewayError.sessionEnded(SessionEnd(.signedOut))
        }
        if stored.tokens.refresh != tokens.refresh {
            tokens = stored.tokens
            if tokens.worksAt(circumstances.time.now()) { return tokens }
        }
        return try await adopt(try await rotated(), stored)
    }

    /// Saves first: tokens that only memory has are lost with the process.
    private func adopt(_ next: TokensAnswer, _ stored: SessionRecord) async throws -> SessionTokens {
        var record = stored
        record.tokens = SessionTokens(next, now: circumstances.time.now())
        tokens = record.tokens
        try await circumstances.storage.save(record)
        return tokens
    }

    /// Sends the refresh token, and again if the answer is lost or the server is busy.
    ///
    /// The gateway takes the same token again for ten seconds, so a repeat is safe then.
    private func rotated() async throws -> TokensAnswer {
        let call = APICall.post("/v1/token/refresh", RefreshRequest(refreshToken: tokens.refresh))
        return try await circumstances.time.retrying {
            do {
                let answer: RefreshAnswer = try await self.circumstances.api.answer(call)
                return answer.session
            } catch let error as GatewayError {
                try await self.endIfRefused(error)
                throw error
            }
        }
    }

    /// Ends the session if the refusal means that, and throws the reason.
    func endIfRefused(_ error: GatewayError) async throws {
        guard let problem = error.problem, var end = SessionEnd(problem) else { return }
        if end.reason == .endedElsewhere, let identity, await circumstances.consent.isWithdrawn(identity) {
            end = SessionEnd(.consentWithdrawn(provider: identity.provider), problem: problem)
        }
        try await finish(end)
        throw GatewayError.sessionEnded(end)
    }
}

struct RefreshRequest: Encodable, Sendable {
    let refreshToken: Secret

    enum CodingKeys: String, CodingKey, CaseIterable {
        case refreshToken = "refresh_token"
    }
}

struct RefreshAnswer: Decodable {
    let session: TokensAnswer

    enum CodingKeys: String, CodingKey, CaseIterable {
        case session
    }
}
