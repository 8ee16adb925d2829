package import Cryptography
import JSON
package import Outbound
import Synchronization

/// The deployment under attack, and what a stranger knows of it.
package final class Target: Sendable {
    /// An app of the deployment.
    package struct App: Sendable {
        let id: String
        let redirectURI: String

        package init(id: String, redirectURI: String) {
            (self.id, self.redirectURI) = (id, redirectURI)
        }
    }

    /// A test account that signs in to the app with a password alone.
    package struct Account: Sendable {
        let email: String
        let password: Secret

        package init(email: String, password: Secret) {
            (self.email, self.password) = (email, password)
        }
    }

    /// The bounds of a run.
    package struct Bounds: Sendable {
        let requestsPerSecond: Int
        let requests: Int

        package init(requestsPerSecond: Int, requests: Int) {
            (self.requestsPerSecond, self.requests) = (requestsPerSecond, requests)
        }
    }

    private struct State {
        var sent = 0
        var next = ContinuousClock.now
        var tokens: Tokens?
        var provider: String?
    }

    private let exchange: RawExchange
    private let knownApp: App?
    private let knownAccount: Account?
    private let bounds: Bounds
    private let state = Mutex(State())

    /// - Parameters:
    ///   - app: nil leaves out the attacks that need one.
    ///   - account: the same.
    package init(_ exchange: RawExchange, app: App?, account: Account?, bounds: Bounds) {
        (self.exchange, knownApp, knownAccount, self.bounds) = (exchange, app, account, bounds)
    }

    /// Whether the address is https.
    var isEncrypted: Bool { exchange.isEncrypted }

    /// The requests so far.
    package var requests: Int { state.withLock { $0.sent } }

    /// Whether a gateway answers there.
    package func isGateway() async throws -> Bool {
        try await send(.get("/.well-known/openid-configuration")).json["issuer"]?.string != nil
    }

    func app() throws(NotTried) -> App {
        guard let knownApp else { throw NotTried("it needs --client-id and --redirect-uri") }
        return knownApp
    }

    func account() throws(NotTried) -> Account {
        guard let knownAccount else { throw NotTried("it needs --client-id, --redirect-uri and --email") }
        return knownAccount
    }

    /// The tokens of one session for all attacks that end none.
    func tokens() async throws -> Tokens {
        if let tokens = state.withLock({ $0.tokens }) { return tokens }
        let tokens = try await signIn()
        state.withLock { $0.tokens = tokens }
        return tokens
    }

    /// A provider of the app that answers by redirects.
    func provider() async throws -> String {
        if let provider = state.withLock({ $0.provider }) { return provider }
        let provider = try await ProviderVisit.findProvider(self)
        state.withLock { $0.provider = provider }
        return provider
    }
}

extension Target {
    /// - Throws: ``NotTried`` if the deployment has no time for us: a throttle or an overload refuses everything alike.
    func send(_ request: AttackRequest) async throws -> AttackAnswer {
        let answer = try await answer(to: request)
        guard answer.status != 429, answer.status != 503 else {
            throw NotTried("\(request.shown) answered \(answer.status): wait, and run it again")
        }
        return answer
    }

    /// The same for an attack that a throttle may stop.
    func answer(to request: AttackRequest) async throws -> AttackAnswer {
        try await takeTurn()
        let start = ContinuousClock.now
        let bytes = try await exchange.send(request.bytes(to: exchange.authority))
        guard var answer = AttackAnswer.all(in: bytes).first else { throw NotTried("\(request.shown) got no answer") }
        answer.duration = start.duration(to: .now)
        return answer
    }

    /// The answers to a text that may be no request.
    ///
    /// - Parameter text: with `HOST` where the target's name belongs.
    func answers(toRaw text: String) async throws -> [AttackAnswer] {
        try await takeTurn()
        return AttackAnswer.all(
            in: try await exchange.send(Array(text.replacing("HOST", with: exchange.authority).utf8)))
    }

    /// Waits until the next request may leave.
    private func takeTurn() async throws {
        let turn = state.withLock { state -> ContinuousClock.Instant? in
            guard state.sent < bounds.requests else { return nil }
            state.sent += 1
            let turn = max(.now, state.next)
            state.next = turn + .seconds(1) / bounds.requestsPerSecond
            return turn
        }
        guard let turn else { throw NotTried("the run has sent its \(bounds.requests) requests") }
        try await ContinuousClock().sleep(until: turn)
    }

    /// Sends a request that a client's fault must refuse: 4xx.
    ///
    /// - Parameter what: what is wrong with it, for the evidence.
    @discardableResult
    func refuses(_ request: AttackRequest, _ what: String) async throws -> AttackAnswer {
        let answer = try await send(request)
        guard (400..<500).contains(answer.status) else {
            throw Broken("\(request.shown) with \(what) answered \(answer.status)")
        }
        return answer
    }
}
