import Foundation
import Postgres
import Testing

extension GatewayProcess {
    /// Runs `body` while a transaction with `statement` waits until another one waits for it, then commits.
    ///
    /// - Parameter further: its statements before the commit, while the other one waits.
    func racing<Value>(
        _ statement: SQL, then further: SQL? = nil, _ body: () async throws -> Value
    ) async throws -> Value {
        let (isDone, done) = AsyncStream<Void>.makeStream()
        async let faster: Void = sql { connection in
            defer { done.finish() }
            try connection.transaction { connection in
                try connection.execute(statement)
                done.finish()
                try connection.untilSomebodyWaits()
                if let further { try connection.execute(further) }
            }
        }
        for await _ in isDone {}
        let value = try await body()
        try await faster
        return value
    }
}

extension Connection {
    /// Blocks on the connection's thread until another session waits for one of its locks.
    func untilSomebodyWaits() throws {
        for _ in 0..<2_000 {
            let waiting = try queryOne(
                "select count(*) from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))")
            if try waiting?.value(0, as: Int.self) ?? 0 > 0 { return }
            usleep(10_000)
        }
        Issue.record("nobody waited: the decision went ahead on stale facts")
    }
}
