import Hummingbird
import JSON
import Logging
import Synchronization

/// The operator's service that the gateway calls during a sign-in, under a test's control.
final class OperatorService: Sendable {
    struct Received: Sendable {
        let headers: [String: String]
        let text: String
        let json: JSON
    }

    /// One answer.
    struct Answer: Sendable {
        var status = 200
        var contentType = "application/json"
        var body: String
        var location: String?
        var delay = Duration.zero

        init(_ json: JSON) { body = json.text }
        init(status: Int = 200, contentType: String = "application/json", body: String, location: String? = nil) {
            (self.status, self.contentType, self.body, self.location) = (status, contentType, body, location)
        }

        /// The same answer with a delay.
        func after(_ delay: Duration) -> Answer {
            var answer = self
            answer.delay = delay
            return answer
        }
    }

    private struct State {
        var received: [Received] = []
        var answer: @Sendable (Received) -> Answer = { _ in Answer(status: 500, body: "") }
    }

    private let state = Mutex(State())

    var received: [Received] { state.withLock { $0.received } }

    func forget() { state.withLock { $0.received = [] } }

    /// Sets its answer from now on.
    func answers(_ answer: @escaping @Sendable (Received) -> Answer) { state.withLock { $0.answer = answer } }

    func answers(_ answer: Answer) { answers { _ in answer } }

    /// Runs `body` with a service at its own address.
    static func with(_ body: (OperatorService, String) async throws -> Void) async throws {
        let service = OperatorService()
        try await withLocalServer({ try await service.respond(to: $0) }) { try await body(service, "\($0)/callout") }
    }

    private func respond(to request: Request) async throws -> Response {
        let body = String(buffer: try await request.body.collect(upTo: 65_536))
        var headers: [String: String] = [:]
        for field in request.headers { headers[field.name.canonicalName] = field.value }
        let received = Received(headers: headers, text: body, json: (try? JSON(parsing: body)) ?? .null)
        let answer = state.withLock { state in
            state.received.append(received)
            return state.answer(received)
        }
        if answer.delay > .zero { try await Task.sleep(for: answer.delay) }
        var response = Response(
            status: .init(code: answer.status), headers: [.contentType: answer.contentType],
            body: .init(byteBuffer: .init(string: answer.body)))
        response.headers[.location] = answer.location
        return response
    }
}
