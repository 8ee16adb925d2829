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
        let stored = try await storedRecord()
        if !isUnsaved, stored.tokens.refresh != tokens.refresh {
            tokens = stored.tokens
            if tokens.worksAt(circumstances.time.now()) { return tokens }
        }
        return try await adopt(try await rotated())
    }

    /// The store without this session means a sign-out, or a newer sign-in, of which it has the tokens.
    private func storedRecord() async throws -> SessionRecord {
        if let end { throw GatewayError.sessionEnded(end) }
        if let stored = try await circumstances.storage.load(), stored.id == id { return stored }
        let end = SessionEnd(.signedOut)
        try await finish(end)
        throw GatewayError.sessionEnded(end)
    }

    /// Memory has the new tokens even if the store fails: the used ones would count as stolen later.
    private func adopt(_ next: TokensAnswer) async throws -> SessionTokens {
        let key = try await circumstances.boundKey(next.tokenType)
        (tokens, isUnsaved) = (SessionTokens(next, now: circumstances.time.now(), boundTo: key), true)
        // Read again: the user may have signed out or in during the request.
        var record = try await storedRecord()
        record.tokens = tokens
        try await circumstances.storage.save(record)
        isUnsaved = false
        return tokens
    }

    /// Sends the refresh token, and again if the answer is lost or the server is busy.
    ///
    /// The gateway takes the same token again for ten seconds, so a repeat is safe then.
    private func rotated() async throws -> TokensAnswer {
        try await requireKey(of: tokens)
        let call = APICall.post("/v1/token/refresh", RefreshRequest(refreshToken: tokens.refresh))
        return try await circumstances.time.retrying {
            do {
                let answer: RefreshAnswer = try await self.circumstances.api.answer(call, .proof)
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
        if end.reason == .endedElsewhere, let identity, await isWithdrawn(identity, problem) {
            end = SessionEnd(.consentWithdrawn(provider: identity.provider), problem: problem)
        }
        try await finish(end)
        throw GatewayError.sessionEnded(end)
    }

    /// Whether the consent is withdrawn: by the gateway's reason, or by the system of this device.
    private func isWithdrawn(_ identity: SignedInIdentity, _ problem: Problem) async -> Bool {
        if problem.reason == "consent_withdrawn" { return true }
        return await circumstances.consent.isWithdrawn(identity)
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
