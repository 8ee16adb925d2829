public import Foundation

/// The session of a signed-in user; it keeps its own tokens fresh.
public actor Session {
    /// The session's id at the gateway, the same through all refreshes.
    public nonisolated let id: String
    /// The account as it was at the sign-in; ``profile()`` asks the gateway.
    public nonisolated let account: Account
    /// The provider's identity that the user signed in with; nil after a password, a code or a passkey.
    public nonisolated let identity: SignedInIdentity?
    /// Facts of the sign-in; nil for a session from the store.
    public nonisolated let signIn: SignInDetails?

    nonisolated let circumstances: Circumstances
    nonisolated let keeper: SessionKeeper
    private var tokens: SessionTokens
    private var refreshing: Task<SessionTokens, any Error>?
    private var end: SessionEnd?
    private var watchers = Watchers<SessionState>()

    init(_ record: SessionRecord, signIn: SignInDetails?, keeper: SessionKeeper) {
        (id, account, identity) = (record.id, record.account, record.identity)
        (tokens, self.signIn, self.keeper) = (record.tokens, signIn, keeper)
        circumstances = keeper.circumstances
    }

    /// An access token that works now; the session gets a new one if need be.
    ///
    /// Calls at the same time share one refresh.
    public func accessToken() async throws -> String {
        if let end { throw GatewayError.sessionEnded(end) }
        if refreshing == nil, tokens.worksAt(circumstances.time.now()) { return tokens.access.value }
        return try await refresh().access.value
    }

    /// When the session ends if it is not refreshed.
    public var expiresAt: Date { tokens.refreshEnds }

    /// Gets a new access token now, such as after a change of the account's claims.
    public func refreshNow() async throws { _ = try await refresh() }

    /// Ends the session at the gateway and forgets its tokens.
    ///
    /// Without a connection the tokens are forgotten too, and the error is thrown: the gateway still counts the
    /// session as open until it expires.
    ///
    /// - Parameter everywhere: whether every session of the account ends.
    public func signOut(everywhere: Bool = false) async throws {
        do {
            try await perform(.post("/v1/sign-out", SignOutRequest(scope: everywhere ? .global : .local)))
        } catch GatewayError.sessionEnded {
            return
        } catch {
            try await finish(SessionEnd(.signedOut))
            throw error
        }
        try await finish(SessionEnd(.signedOut))
    }

    /// Each change of this session, beginning with the current state; it ends with the session.
    public nonisolated var states: AsyncStream<SessionState> {
        AsyncStream { continuation in
            let number = UUID()
            continuation.onTermination = { [weak self] _ in Task { await self?.forget(number) } }
            Task { await self.watch(continuation, number) }
        }
    }

    private func watch(_ continuation: AsyncStream<SessionState>.Continuation, _ number: UUID) {
        continuation.yield(end?.state ?? .signedIn(self))
        if end == nil { watchers.add(continuation, number) } else { continuation.finish() }
    }

    private func forget(_ number: UUID) { watchers.remove(number) }

    /// Ends the session if the user withdrew the consent at the provider.
    ///
    /// Call it when the app comes to the foreground, where the system can tell: with Apple's identities.
    public func checkConsent() async throws {
        guard end == nil, let identity, await circumstances.consent.isWithdrawn(identity) else { return }
        let request = SignOutRequest(scope: .local)
        _ = try? await circumstances.api.send(.post("/v1/sign-out", request), bearer: tokens.access.value)
        try await finish(SessionEnd(.consentWithdrawn(provider: identity.provider)))
    }

    /// Ends it once; later reasons change nothing.
    func finish(_ reason: SessionEnd) async throws {
        guard end == nil else { return }
        end = reason
        watchers.send(reason.state)
        watchers.finish()
        try await keeper.ended(self, reason)
    }
}

// MARK: Refreshing

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
    private func endIfRefused(_ error: GatewayError) async throws {
        guard let problem = error.problem, var end = SessionEnd(problem) else { return }
        if end.reason == .endedElsewhere, let identity, await circumstances.consent.isWithdrawn(identity) {
            end = SessionEnd(.consentWithdrawn(provider: identity.provider), problem: problem)
        }
        try await finish(end)
        throw GatewayError.sessionEnded(end)
    }
}

// MARK: Calls

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

struct SignOutRequest: Encodable, Sendable {
    enum Scope: String, Encodable, Sendable {
        case local, global
    }

    let scope: Scope

    enum CodingKeys: String, CodingKey, CaseIterable {
        case scope
    }
}
