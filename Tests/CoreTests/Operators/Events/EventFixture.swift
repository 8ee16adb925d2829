import Foundation
import JSON
import Logging
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import Audit
@testable import OperatorAccess
@testable import Operators
@testable import Outbound

/// Plays every endpoint: keeps the posts, and gives the configured answers.
final class ScriptedReceiver: HTTPTransport {
    struct Posted: Sendable {
        let url: String
        let headers: [String: String]
        let body: String

        var id: String { headers["webhook-id"] ?? "" }
    }

    typealias Answer = @Sendable (Posted) async throws(TransferError) -> HTTPResponse

    /// Not a tuple: a function in a tuple gets another wrapper each time that the lock is taken, until their release
    /// overflows the stack.
    private struct State {
        var posted: [Posted] = []
        var answer: Answer = { _ in HTTPResponse(status: 204) }
    }

    private let state = Mutex(State())

    var posted: [Posted] { state.withLock { $0.posted } }

    func answers(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }

    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        let headers = Dictionary(request.headers.map { ($0.name, $0.value) }) { $1 }
        let posted = Posted(
            url: request.url, headers: headers, body: String(decoding: request.body ?? [], as: UTF8.self))
        let answer = state.withLock { state in
            state.posted.append(posted)
            return state.answer
        }
        return try await answer(posted)
    }
}

/// An audit log with a receiver of its events.
struct EventFixture: Sendable {
    let audit: AuditFixture
    let receiver = ScriptedReceiver()
    var pool: ConnectionPool { audit.pool }
    var desk: EventDesk { EventDesk(desk: AdminDesk(pool: pool), keys: audit.keys, allowsLocal: false) }
    var courier: EventCourier {
        EventCourier(pool: pool, keys: audit.keys, transport: receiver, logger: .silent)
    }

    func courier(_ circuit: CircuitBreaker.Configuration) -> EventCourier {
        EventCourier(pool: pool, keys: audit.keys, transport: receiver, circuit: circuit, logger: .silent)
    }

    static var reason: Reason { get throws { try Reason("a receiver was made") } }
    static let actor = AdminActor.commandLine(requestID: "test")

    /// Appends rows to the audit log and seals them, which queues their events.
    func append(_ rows: Int) async throws {
        try await audit.append(rows)
        try await seal()
    }

    func seal() async throws {
        try await AuditSealer(pool: pool, keys: audit.keys, followers: [EventFeed()], logger: .silent).sealAll()
    }

    @discardableResult
    func endpoint(_ name: String = "ducks", _ more: JSONObject = [:]) async throws -> (id: UUID, secret: String) {
        var sent = more
        sent["url"] = .string("https://\(name).org/events")
        let made = try await desk.create(sent, because: Self.reason, by: Self.actor)
        return (try #require(made.endpoint["id"]?.string.flatMap { UUID(uuidString: $0) }), made.secret)
    }

    /// The queued deliveries as `state type`, in the order of queueing.
    func deliveries() async throws -> [String] {
        try await pool.withConnection { connection in
            try connection.query("select state || ' ' || type from event_deliveries order by number").map {
                try $0.value(0)
            }
        }
    }

    func deliveries(of endpoint: UUID) async throws -> [JSON] {
        try await desk.deliveries(
            EventDesk.Filter(endpoint: endpoint), before: nil, limit: 50, by: Self.actor
        ).deliveries
    }

    func becomeDue() async throws { try await audit.run("update event_deliveries set not_before = now()") }
}

func withEvents(_ body: (EventFixture) async throws -> Void) async throws {
    try await withAudit { try await body(EventFixture(audit: $0)) }
}
