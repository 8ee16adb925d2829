import Foundation
import Testing

@testable import GatewayClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers requests from a script and keeps them.
actor ScriptedTransport: Transport, CustomReflectable {
    enum Reply: Sendable {
        case answer(Int, JSONValue?, [String: String] = [:])
        case lost
        /// Waits until the test opens the gate.
        case gated(Gate, Int, JSONValue)
    }

    struct Received: Sendable {
        let method: String
        let path: String
        let query: String?
        let headers: [String: String]
        let body: JSONValue?
        let form: String?

        var bearer: String? { headers["Authorization"] }
    }

    /// A dump of a client must not show what the script has.
    nonisolated var customMirror: Mirror { Mirror(self, children: []) }

    private var replies: [Reply]
    private(set) var received: [Received] = []

    init(_ replies: [Reply] = []) { self.replies = replies }

    func add(_ more: Reply...) { replies += more }

    var isDone: Bool { replies.isEmpty }

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        received.append(Received(request))
        guard !replies.isEmpty else { throw ScriptFailure("no reply is left for \(request.url?.path ?? "?")") }
        switch replies.removeFirst() {
        case .lost: throw URLError(.networkConnectionLost)
        case .answer(let status, let body, let headers): return try Self.response(request, status, body, headers)
        case .gated(let gate, let status, let body):
            await gate.pass()
            return try Self.response(request, status, body, [:])
        }
    }

    static func response(
        _ request: URLRequest, _ status: Int, _ body: JSONValue?, _ headers: [String: String]
    ) throws -> (Data, HTTPURLResponse) {
        let url = try #require(request.url)
        let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
        return (try body.map { try JSONEncoder().encode($0) } ?? Data(), try #require(response))
    }
}

struct ScriptFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

extension ScriptedTransport.Received {
    init(_ request: URLRequest) {
        (method, path) = (request.httpMethod ?? "GET", request.url?.path ?? "")
        query = request.url?.query
        headers = request.allHTTPHeaderFields ?? [:]
        let isForm = headers["Content-Type"] == "application/x-www-form-urlencoded"
        form = isForm ? request.httpBody.flatMap { String(data: $0, encoding: .utf8) } : nil
        body = isForm ? nil : request.httpBody.flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) }
    }
}

/// Holds callers until it is opened.
actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var arrivals: [CheckedContinuation<Void, Never>] = []
    private var arrived = 0

    func pass() async {
        arrived += 1
        for arrival in arrivals { arrival.resume() }
        arrivals = []
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
        isOpen = true
        for one in waiting { one.resume() }
        waiting = []
    }

    /// Returns once someone stands at the gate.
    func reached() async {
        if arrived > 0 { return }
        await withCheckedContinuation { arrivals.append($0) }
    }
}

/// A clock that only the test moves; waiting moves it too.
final class ManualClock: Sendable {
    private let lock = NSLock()
    private nonisolated(unsafe) var time = Date(timeIntervalSince1970: 1_800_000_000)
    private nonisolated(unsafe) var waits: [Duration] = []

    var now: Date { lock.withLock { unsafe time } }
    var pauses: [Duration] { lock.withLock { unsafe waits } }

    func advance(_ seconds: TimeInterval) { lock.withLock { unsafe time += seconds } }

    private func pause(_ duration: Duration) {
        lock.withLock {
            unsafe waits.append(duration)
            unsafe time += TimeInterval(duration.components.seconds)
        }
    }

    var source: TimeSource { TimeSource(now: { self.now }, wait: { self.pause($0) }) }
}

/// A client with a script, a clock and a store in memory.
struct Rehearsal {
    let transport: ScriptedTransport
    let clock = ManualClock()
    let store: any TokenStore
    let client: GatewayClient

    init(
        _ replies: ScriptedTransport.Reply..., store: any TokenStore = MemoryTokenStore(),
        consent: any ConsentCheck = NoConsentCheck(), languages: [String] = [], signer: (any ProofSigning)? = nil
    ) throws {
        transport = ScriptedTransport(replies)
        self.store = store
        let api = API(
            url: try #require(URL(string: "https://login.example.com")), clientID: "app",
            backEnds: [try #require(URL(string: "https://api.example.com"))], transport: transport, languages: languages
        )
        client = GatewayClient(
            api: api, store: store, proofOfPossession: signer, deviceName: nil, consent: consent, time: clock.source)
    }

    /// Signs in with a scripted answer.
    func signedIn(_ tokens: JSONValue = Sample.tokens(1), identity: JSONValue? = nil) async throws -> Session {
        await transport.add(.answer(200, Sample.signedIn(tokens, identity: identity)))
        let result = try await client.signIn(.password(username: "ann@example.com", password: "correct horse"))
        guard case .signedIn(let session) = result else { throw ScriptFailure("no session: \(result)") }
        return session
    }
}

/// Answers in the shape of `docs/openapi.yaml`.
enum Sample {
    static let sessionID = "01a1fe3e-50c0-7143-8a83-b7cf4d9d8225"

    static func tokens(_ number: Int, id: String = sessionID, type: JSONValue = "Bearer") -> JSONValue {
        [
            "id": .string(id), "token_type": type, "access_token": .string("access-\(number)"), "expires_in": 600,
            "refresh_token": .string("refresh-\(number)"), "refresh_expires_in": 2_592_000,
        ]
    }

    static let account: JSONValue = [
        "id": "01a1fe3a-da0a-7381-bcf2-b234c60a8642", "display_name": "Ann", "email": "ann@example.com",
        "email_verified": true, "created_at": "2026-11-21T13:10:32Z",
    ]

    static let appleIdentity: JSONValue = [
        "id": "01a1fe3a-da0a-7e8d-b31b-94d3827ee9d2", "provider": "apple", "subject": "001999.bbfc",
    ]

    static func signedIn(
        _ tokens: JSONValue = tokens(1), identity: JSONValue? = nil, device: String? = nil, codes: [String] = []
    ) -> JSONValue {
        var answer: [String: JSONValue] = [
            "status": "signed_in", "account": account, "session": tokens, "new_account": false,
        ]
        if let identity { answer["identity"] = identity }
        if let device { answer["device"] = ["token": .string(device)] }
        if !codes.isEmpty { answer["recovery_codes"] = .array(codes.map(JSONValue.string)) }
        return .object(answer)
    }

    static func refreshed(_ number: Int, type: JSONValue = "Bearer") -> JSONValue {
        ["session": tokens(number, type: type)]
    }

    static func step(_ type: String, _ members: [String: JSONValue] = [:], codes: [String] = []) -> JSONValue {
        var answer: [String: JSONValue] = [
            "status": "next_step", "flow": "fl_1", "expires_in": 600,
            "next_step": .object(members.merging(["type": .string(type)]) { $1 }),
        ]
        if !codes.isEmpty { answer["recovery_codes"] = .array(codes.map(JSONValue.string)) }
        return .object(answer)
    }

    static func problem(
        _ code: String, _ status: Int, retryAfter: Int? = nil, pointer: String? = nil, ticket: String? = nil
    ) -> JSONValue {
        var members: [String: JSONValue] = [
            "type": .string("https://login.example.com/errors/\(code)"), "title": "Refused",
            "status": .number(Double(status)),
            "code": .string(code), "request_id": "ng89gt61q7jq4",
        ]
        if let retryAfter { members["retry_after"] = .number(Double(retryAfter)) }
        if let ticket { members["merge_ticket"] = .string(ticket) }
        if let pointer {
            members["errors"] = [["pointer": .string(pointer), "code": "required", "detail": "required"]]
        }
        return .object(members)
    }
}
