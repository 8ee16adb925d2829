import Foundation
import Postgres
import TestSupport
import Testing

/// The copies of the gateway's statements that `make bench` and `make bench-growth` run by themselves.
@Suite("The benchmark's statements")
struct BenchStatementTests {
    /// With `BENCH_SQL=write` the files get the statements of the gateway.
    private static let isWriting = ProcessInfo.processInfo.environment["BENCH_SQL"] == "write"

    @Test("bench/sql has what the gateway sends, and each file of bench/sql and bench/growth does its work")
    func copies() async throws {
        try await PrivateGateway.with(StepServer.withApps, preparing: StatementLog.begin) { place in
            let recorder = try await BenchRecorder(place)
            var recorded = ["seal": try recorder.sealing()]
            for work in BenchWork.all { recorded[work.name] = try await recorder.statements(of: work) }
            #expect(try recorded.keys.sorted() == BenchScript.names())
            for (name, sent) in recorded { try Self.compare(try BenchScript(name), sent) }
            try await Self.tryOut(place)
        }
    }

    private static func compare(_ script: BenchScript, _ sent: [SentStatement]) throws {
        let script = isWriting ? script.renewed(by: sent) : script
        if isWriting { try script.write() }
        #expect(
            script.statements.map { SentStatement.shape($0.text) } == sent.map(\.shape),
            "bench/sql/\(script.name).sql differs; `BENCH_SQL=write make test FILTER=BenchStatementTests` renews the files"
        )
        for statement in script.statements {
            let parameters = Set(statement.text.matches(of: /\$([0-9]+)/).compactMap { Int($0.output.1) })
            #expect(parameters == Set(statement.values.keys), "bench/sql/\(script.name).sql lacks a value")
        }
    }

    /// Runs each file by pgbench, as the benchmarks do, on the data that the gateway left behind.
    private static func tryOut(_ place: PrivateGateway) async throws {
        // The flows that the set-ups copy.
        for work in BenchWork.all where work.name.hasSuffix("_finish") {
            _ = try await work.prepare(place.gateway)
        }
        await place.gateway.terminate()
        let (url, folder) = (place.cluster.url, place.cluster.folder)
        try await onServer(url) { connection in
            try connection.executeScript("update factors set name = 'first'; update passkeys set name = 'first'")
        }
        let root = Configurations.root.path
        let environment = [
            "BENCH_ROOT": root, "BENCH_FOLDER": place.deployment.folder, "BENCH_ADMINISTRATOR_URL": url,
            "BENCH_SERVE_URL": url, "BENCH_POSTGRES_BIN": PrivateCluster.programs,
            "BENCH_POSTGRES_DATA": "\(folder)/data", "PYTHONPATH": "\(root)/bench", "PYTHONDONTWRITEBYTECODE": "1",
            // The files of bench/growth run on a copy, with the rows of bench/seed.
            "BENCH_LARGE_ADMINISTRATOR_URL": url.replacing("/postgres?", with: "/growth?"),
        ]
        let tool = try ChildProcess(
            "/usr/bin/env", ["python3", "-m", "measure.trial"], environment: environment, folder: root)
        #expect(await tool.waitForExit(within: .seconds(120)) == 0, "\(tool.errors)")
    }
}
