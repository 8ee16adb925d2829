import Foundation

/// The parts of a client that its sessions and steps use.
struct Circumstances: Sendable {
    let api: API
    let storage: SessionStorage
    let time: TimeSource
    let consent: any ConsentCheck
    let device: DeviceMemory
}

/// Knows the current session and announces its changes.
///
/// The store is the source of truth. The session in memory is held weakly, so that dropping it loses nothing.
actor SessionKeeper {
    nonisolated let circumstances: Circumstances
    private weak var current: Session?
    private var watchers = Watchers<SessionState>()

    init(circumstances: Circumstances) { self.circumstances = circumstances }

    func session() async throws -> Session? {
        if let current { return current }
        guard let record = try await circumstances.storage.load() else { return nil }
        // Another call may have made one during the wait: two would refresh against each other.
        if let current { return current }
        let session = Session(record, signIn: nil, keeper: self)
        current = session
        return session
    }

    func begin(_ answer: SignedInAnswer, after flow: Flow?) async throws -> Session {
        let key = try await circumstances.boundKey(answer.session.tokenType)
        let tokens = SessionTokens(answer.session, now: circumstances.time.now(), boundTo: key)
        let details = SignInDetails(
            isNewAccount: answer.isNewAccount, recoveryCodes: answer.recoveryCodes ?? flow?.recoveryCodes ?? [])
        let record = SessionRecord(
            id: answer.session.id, tokens: tokens, account: answer.account, identity: answer.identity)
        if let token = answer.device?.token { try await circumstances.device.keep(token) }
        return try await begin(record, details)
    }

    func begin(_ record: SessionRecord, _ details: SignInDetails?) async throws -> Session {
        try await circumstances.storage.save(record)
        let session = Session(record, signIn: details, keeper: self)
        current = session
        watchers.send(.signedIn(session))
        return session
    }

    /// Forgets the session's tokens, unless the store has another session by now.
    func ended(_ session: Session, _ end: SessionEnd) async throws {
        let isCurrent = current === session
        if isCurrent { current = nil }
        if isCurrent { watchers.send(end.state) }
        if try await circumstances.storage.load()?.id == session.id { try await circumstances.storage.remove() }
    }

    nonisolated func states() -> AsyncStream<SessionState> {
        AsyncStream { continuation in
            let number = UUID()
            continuation.onTermination = { [weak self] _ in Task { await self?.forget(number) } }
            Task { await self.watch(continuation, number) }
        }
    }

    /// The current state comes first.
    ///
    /// A store that can't be read counts as signed out; `session()` has the error.
    private func watch(_ continuation: AsyncStream<SessionState>.Continuation, _ number: UUID) async {
        let now = try? await session()
        continuation.yield(now.map { .signedIn($0) } ?? .signedOut)
        watchers.add(continuation, number)
    }

    private func forget(_ number: UUID) { watchers.remove(number) }
}

/// The open sequences of states.
struct Watchers<State: Sendable>: Sendable {
    private var continuations: [UUID: AsyncStream<State>.Continuation] = [:]

    mutating func add(_ continuation: AsyncStream<State>.Continuation, _ number: UUID) {
        continuations[number] = continuation
    }

    mutating func remove(_ number: UUID) { continuations[number] = nil }

    func send(_ state: State) { for continuation in continuations.values { continuation.yield(state) } }

    mutating func finish() {
        for continuation in continuations.values { continuation.finish() }
        continuations = [:]
    }
}
