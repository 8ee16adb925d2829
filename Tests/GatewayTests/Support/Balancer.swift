import HTTPTypes
import NIOCore
import Synchronization

/// A load balancer with kept connections, as proxies in front of gateways have, and its clients.
///
/// It repeats a call only without a connection. A sent call without an answer has failed, because a proxy must not send
/// a POST twice.
final class Balancer: Sendable {
    struct Tally: Sendable {
        var calls = 0
        var failures: [String] = []
        /// Answers that closed their connection.
        var lastAnswers = 0
    }

    private struct State {
        var ports: Set<Int> = []
        var unready: Set<Int> = []
        var isOver = false
        var tally = Tally()
    }

    private let state = Mutex(State())
    private let request: ByteBuffer
    private let looksAtReadiness: Bool

    /// - Parameters:
    ///   - request: the complete request of each call.
    ///   - looksAtReadiness: whether it polls each gateway every 50 ms, or notices only refused connections.
    init(_ request: String, looksAtReadiness: Bool) {
        self.request = ByteBuffer(string: request)
        self.looksAtReadiness = looksAtReadiness
    }

    func add(_ port: Int) { state.withLock { _ = $0.ports.insert(port) } }

    func remove(_ port: Int) { state.withLock { _ = $0.ports.remove(port) } }

    /// The number of calls so far.
    var calls: Int { state.withLock { $0.tally.calls } }

    /// Calls with that many concurrent clients while the body runs.
    func run(clients: Int, _ body: () async throws -> Void) async throws -> Tally {
        async let looking: Void = look()
        async let calling: Void = withTaskGroup { group in
            for _ in 0..<clients { group.addTask { await self.call() } }
        }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        state.withLock { $0.isOver = true }
        _ = await (looking, calling)
        try result.get()
        return state.withLock { $0.tally }
    }

    private var isOver: Bool { state.withLock { $0.isOver } }

    private func look() async {
        while looksAtReadiness, !isOver {
            for port in state.withLock({ $0.ports }) {
                let answer = try? await TestClient(port: port).send(TestRequest("GET", "/health/ready"))
                state.withLock { state in
                    if answer?.status == 200 { state.unready.remove(port) } else { state.unready.insert(port) }
                }
            }
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    private func isUsable(_ port: Int) -> Bool {
        state.withLock { $0.ports.contains(port) && !$0.unready.contains(port) }
    }

    private func call() async {
        while !isOver {
            guard let port = state.withLock({ $0.ports.subtracting($0.unready).randomElement() }) else {
                fail("no gateway is there")
                try? await Task.sleep(for: .milliseconds(50))
                continue
            }
            // Nothing was sent yet, so the next gateway is tried.
            guard let connection = try? await PlainListener.connect(to: port) else { continue }
            do {
                try await connection.executeThenClose { try await self.call(over: ($0, $1), port) }
            } catch {
                fail("\(error)")
            }
        }
    }

    private func call(
        over connection: (NIOAsyncChannelInboundStream<ByteBuffer>, NIOAsyncChannelOutboundWriter<ByteBuffer>),
        _ port: Int
    ) async throws {
        var parts = connection.0.makeAsyncIterator()
        while !isOver, isUsable(port) {
            try await connection.1.write(request)
            state.withLock { $0.tally.calls += 1 }
            var text = ""
            while !Self.isWhole(text) {
                guard let part = try await parts.next() else { return fail("no answer: \(text)") }
                text += String(buffer: part)
            }
            guard text.hasPrefix("HTTP/1.1 200 ") else { return fail(text) }
            if text.lowercased().contains("\r\nconnection: close\r\n") {
                return state.withLock { $0.tally.lastAnswers += 1 }
            }
            // Some connections pause, as kept ones do.
            try? await Task.sleep(for: .milliseconds([0, 0, 2, 20, 200].randomElement() ?? 0))
        }
    }

    private static func isWhole(_ text: String) -> Bool {
        guard let length = text.firstMatch(of: /(?i)\r\ncontent-length: *(\d+)\r\n/).flatMap({ Int($0.1) }),
            let end = text.firstRange(of: "\r\n\r\n")
        else { return false }
        return text[end.upperBound...].utf8.count >= length
    }

    private func fail(_ text: String) {
        state.withLock { $0.tally.failures.append(text) }
    }
}
