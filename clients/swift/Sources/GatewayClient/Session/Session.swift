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
    var tokens: SessionTokens
    /// Whether the store has older tokens than memory, because it failed.
    var isUnsaved = false
    var refreshing: Task<SessionTokens, any Error>?
    private(set) var end: SessionEnd?
    private var watchers = Watchers<SessionState>()

    init(_ record: SessionRecord, signIn: SignInDetails?, keeper: SessionKeeper) {
        (id, account, identity) = (record.id, record.account, record.identity)
        (tokens, self.signIn, self.keeper) = (record.tokens, signIn, keeper)
        circumstances = keeper.circumstances
    }

    /// An access token that works now; the session gets a new one if need be.
    ///
    /// Calls at the same time share one refresh. With `proofOfPossession` a request needs a proof beside the token:
    /// ``authorized(_:)`` and ``data(for:)`` add it.
    public func accessToken() async throws -> String { try await access().value.value }

    /// The token with its scheme.
    func access() async throws -> AccessToken {
        if let end { throw GatewayError.sessionEnded(end) }
        let isFresh = refreshing == nil && tokens.worksAt(circumstances.time.now())
        let current = isFresh ? tokens : try await refresh()
        try await requireKey(of: current)
        return current.accessToken
    }

    /// Tokens of a lost key are worth nothing: the session ends here, for the gateway would refuse each proof.
    func requireKey(of tokens: SessionTokens) async throws {
        guard let key = tokens.boundTo else { return }
        if try await circumstances.api.prover?.thumbprint() == key { return }
        let end = SessionEnd(.keyLost)
        try await finish(end)
        throw GatewayError.sessionEnded(end)
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

    /// Begins the session that replaces a guest's, if the answer has its tokens; this one is over then.
    func replace(_ answer: TokensAnswer?) async throws {
        guard let answer else { return }
        let key = try await circumstances.boundKey(answer.tokenType)
        let tokens = SessionTokens(answer, now: circumstances.time.now(), boundTo: key)
        let record = SessionRecord(id: answer.id, tokens: tokens, account: account.upgraded, identity: nil)
        _ = try await keeper.begin(record, nil)
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
        _ = try? await circumstances.api.send(.post("/v1/sign-out", request), .token(tokens.accessToken))
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

struct SignOutRequest: Encodable, Sendable {
    enum Scope: String, Encodable, Sendable {
        case local, global
    }

    let scope: Scope

    enum CodingKeys: String, CodingKey, CaseIterable {
        case scope
    }
}
