import Hummingbird
import Synchronization

/// Receives text messages over HTTP, like an operator's webhook or Twilio, and stores them.
final class SMSReceiver: Sendable {
    struct Received: Sendable {
        let path: String
        let headers: [String: String]
        let body: String
    }

    private struct State {
        var received: [Received] = []
        var answers: [(status: Int, body: String)] = []
    }

    private let state = Mutex(State())

    var received: [Received] { state.withLock { $0.received } }

    /// The answers to the next requests; afterwards it accepts everything.
    func answerNext(_ answers: (status: Int, body: String)...) {
        state.withLock { $0.answers = answers }
    }

    /// Runs `body` with a receiver at its own address.
    static func with(_ body: (SMSReceiver, String) async throws -> Void) async throws {
        let receiver = SMSReceiver()
        try await withLocalServer({ try await receiver.respond(to: $0) }) { try await body(receiver, $0) }
    }

    private func respond(to request: Request) async throws -> Response {
        let body = String(buffer: try await request.body.collect(upTo: 65_536))
        var headers: [String: String] = [:]
        for field in request.headers { headers[field.name.canonicalName] = field.value }
        let received = Received(path: request.uri.path, headers: headers, body: body)
        let answer = state.withLock { state in
            state.received.append(received)
            return state.answers.isEmpty
                ? (status: 202, body: #"{"id": "m-1", "sid": "SM1"}"#) : state.answers.removeFirst()
        }
        return Response(
            status: .init(code: answer.status), headers: [.contentType: "application/json"],
            body: .init(byteBuffer: .init(string: answer.body)))
    }
}
