public import Foundation
public import GatewayClient

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A gateway in memory, for the tests of an app.
///
/// ```swift
/// let gateway = FakeGateway(.authenticatorCode(), .wrongCode(triesLeft: 4), .signedIn())
/// let client = gateway.client()
/// let result = try await client.signIn(.password(username: "ann@example.com", password: "any"))
/// ```
///
/// The replies are its script: the next calls of a sign-in get them in this order. Without a reply a call succeeds, and
/// so do refreshes, sign-outs, changes of the password and ``Session/profile()``. Any other call needs a reply of
/// ``on(_:_:)``.
public actor FakeGateway: Transport {
    private var script: [Reply]
    private var replies: [String: [Reply]] = [:]
    private var isOffline = false
    var tokens = FakeTokens()
    var flow = FakeFlow()
    private nonisolated let clock = FakeClock()

    /// Every call that reached the gateway, in order.
    public private(set) var calls: [Call] = []

    /// A gateway with a script for the calls of sign-ins.
    public init(_ script: Reply...) { self.script = script }

    /// Adds to the script.
    public func next(_ replies: Reply...) { script += replies }

    /// Replies to the next calls of one kind, in order.
    ///
    /// - Parameters:
    ///   - call: method and path, such as `POST /v1/password/change`, also of a back end of the app.
    ///   - replies: ``Reply/answer(_:status:)``, a refusal or a failure.
    public func on(_ call: String, _ replies: Reply...) { self.replies[call, default: []] += replies }

    /// From now on no request arrives.
    public func goOffline() { isOffline = true }

    /// Requests arrive again.
    public func goOnline() { isOffline = false }

    /// Ends every session, as another device or an operator does: later calls are refused by `session_ended`.
    ///
    /// - Parameter reason: such as `signed_out` or `consent_withdrawn`; `docs/openapi.yaml` lists them.
    public func endSessions(reason: String = "signed_out") { tokens.endAll(reason) }

    /// Moves the clock of the clients that ``client(clientID:backEnds:store:proofOfPossession:consent:)`` made.
    ///
    /// An access token lives for 600 seconds: the next call after its end refreshes it.
    public nonisolated func advance(seconds: TimeInterval) { clock.advance(seconds) }

    /// A client of this gateway, with its tokens in memory.
    ///
    /// Its clock stands still between calls of ``advance(seconds:)``, and its pauses take no time. An app that makes
    /// its client itself passes the gateway as `transport`; that client has the clock of the system.
    ///
    /// - Parameters:
    ///   - clientID: the app's id at the gateway.
    ///   - backEnds: the servers of the app; ``on(_:_:)`` answers their calls too.
    ///   - store: the place of the tokens. A second client with the same store is the app after a restart.
    ///   - proofOfPossession: binds the tokens to a key.
    ///   - consent: finds out whether the user withdrew the consent at the provider.
    public nonisolated func client(
        clientID: String = "app", backEnds: [URL] = [], store: any TokenStore = MemoryTokenStore(),
        proofOfPossession: (any ProofSigning)? = nil, consent: any ConsentCheck = NoConsentCheck()
    ) -> GatewayClient {
        GatewayClient(
            url: Self.url, clientID: clientID, backEnds: backEnds, store: store, proofOfPossession: proofOfPossession,
            deviceName: nil, languages: [], transport: self, consent: consent, time: clock.source)
    }

    private static var url: URL {
        guard let url = URL(string: "https://login.example.com") else { preconditionFailure("the address is fixed") }
        return url
    }

    /// Answers a request by the script.
    public func send(_ request: URLRequest) throws -> (Data, HTTPURLResponse) {
        if isOffline { throw URLError(.notConnectedToInternet) }
        let call = Call(request)
        calls.append(call)
        let answer = try answer(to: call)
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: answer.status, httpVersion: "HTTP/1.1", headerFields: answer.headers)
        else { throw URLError(.badURL) }
        return (try answer.body.map { try JSONEncoder().encode($0) } ?? Data(), response)
    }

    private func answer(to call: Call) throws -> Answer {
        begin(call)
        if let refusal = refusal(of: call) { return Answer(refusal) }
        switch nextReply(to: call).kind {
        case .usual: return try usualAnswer(to: call)
        case .signedIn(let user, let isNew, let codes): return signedIn(user, isNew, codes)
        case .step(let step): return flow.ask(step)
        case .refused(let refusal): return Answer(refusal)
        case .answer(let status, let body): return Answer(status: status, body)
        case .noConnection: throw URLError(.notConnectedToInternet)
        case .answerLost:
            _ = try usualAnswer(to: call)
            throw URLError(.networkConnectionLost)
        }
    }

    private func nextReply(to call: Call) -> Reply {
        if replies[call.name]?.isEmpty == false, let reply = replies[call.name]?.removeFirst() { return reply }
        return call.isOfSignIn && !script.isEmpty ? script.removeFirst() : Reply(.usual)
    }
}
