import TestSupport
import Testing

/// Learns what a gateway sends for a work, from the log of its database.
struct BenchRecorder: Sendable {
    private let gateway: GatewayProcess
    private let log: StatementLog
    /// What the gateway sends without a request, once a second or so.
    private let background: [SentStatement]

    init(_ place: PrivateGateway) async throws {
        (gateway, log) = (place.gateway, StatementLog(place.cluster))
        // An event that the sealer finds.
        _ = try await gateway.anyone()
        let (log, start) = (log, try log.length)
        background = try await poll {
            let sent = try log.statements(after: start)
            return sent.contains { $0.text.contains("seal_audit(") } ? sent : nil
        }
    }

    /// The statements of the sealer's first batch.
    func sealing() throws -> [SentStatement] {
        let sealing = try #require(background.first { $0.text.contains("seal_audit(") })
        let own = background.filter { $0.backend == sealing.backend }
        let end = try #require(own.firstIndex { $0.shape == sealing.shape })
        let start = try #require(own[..<end].lastIndex { $0.text.contains("'audit chain'") })
        return Array(own[start...end])
    }

    /// What each request of a work sends, in order.
    ///
    /// Several run in turn, because the periodic work of the gateway is not in all of them.
    func statements(of work: BenchWork) async throws -> [SentStatement] {
        let before = try log.length
        let requests = try await (0..<Self.requests).asyncMap { _ in try await work.prepare(gateway) }
        let start = try await settled(after: before)
        for request in requests {
            let answer = try await request()
            try #require(answer.status == 200, "\(answer.text)")
        }
        _ = try await settled(after: start)
        return try foreground(after: start)
    }

    private static let requests = 4

    /// The statements that every request sent.
    private func foreground(after start: Int) throws -> [SentStatement] {
        let sent = try log.statements(after: start)
        let counts = Dictionary(grouping: sent, by: \.shape).mapValues(\.count)
        var known = Set(background.map(\.shape))
        return sent.filter { known.insert($0.shape).inserted && counts[$0.shape, default: 0] >= Self.requests }
    }

    /// The length of the log, once a request's last statement is in it: some follow the answer.
    private func settled(after start: Int) async throws -> Int {
        let known = Set(background.map(\.shape))
        var before = -1
        return try await poll(every: .milliseconds(300)) {
            let count = try log.statements(after: start).count { !known.contains($0.shape) }
            defer { before = count }
            return count == before ? try log.length : nil
        }
    }
}
