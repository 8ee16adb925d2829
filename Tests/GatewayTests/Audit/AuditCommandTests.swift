import Foundation
import Postgres
import TestSupport
import Testing

/// `gateway audit …`.
@Suite("The audit command", .serialized)
struct AuditCommandTests {
    /// Texts that a CSV file must keep unchanged, or make harmless.
    private static let texts = [
        "plain", "a,b", "a \"b\"", "line\nbreak", "line\r\nbreak", " space ", "", "=1+1", "+1", "-1", "@x", "\tx", "'x",
        "ünï😀", "\"", ",", "\"=1\"",
    ]

    fileprivate static func insert(_ texts: [String], _ deployment: Deployment) async throws {
        _ = try await deployment.database.pool.withConnection { connection in
            try connection.execute(
                "insert into audit_inbox (action, outcome, reason) select 'x', 'done', t from unnest(\(texts)) with ordinality u (t, n) order by n"
            )
        }
    }

    private static let readCSV =
        "import csv, json, sys; print(json.dumps(list(csv.DictReader(open(sys.argv[1], newline='', encoding='utf-8')))))"

    @Test("another program reads the CSV export correctly, and no cell begins like a formula")
    func csv() async throws {
        try await withDeployment { deployment in
            try await Self.insert(Self.texts, deployment)
            let file = "\(deployment.folder)/audit.csv"
            let export = try await deployment.run("audit", "export", "--output", file)
            #expect(export.exitCode == 0 && export.errors.contains("\(Self.texts.count) rows"))
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let python = try ChildProcess(
                "/usr/bin/python3", ["-c", Self.readCSV, file], environment: [:], folder: deployment.folder)
            #expect(await python.waitForExit(within: .seconds(60)) == 0, "\(python.errors)")
            let rows = try #require(
                try JSONSerialization.jsonObject(with: Data(python.output.utf8)) as? [[String: String]])
            let formulas: Set<Character> = ["=", "+", "-", "@", "\t"]
            let expected = Self.texts.map { $0.first.map(formulas.contains) == true ? "'" + $0 : $0 }
            #expect(rows.map { $0["reason"] } == expected)
            #expect(rows.map { $0["id"] } == (1...Self.texts.count).map(String.init))
            #expect(rows[0]["account_id"] == "" && rows[0]["at"]?.hasSuffix("Z") == true)
        }
    }

    @Test("JSON lines contain every text unchanged")
    func jsonLines() async throws {
        try await withDeployment { deployment in
            try await Self.insert(Self.texts, deployment)
            let export = try await deployment.run("audit", "export", "--format", "jsonl", "--action", "x")
            let rows = try export.output.split(separator: "\n").map {
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            }
            #expect(rows.map { $0?["reason"] as? String } == Self.texts)
        }
    }

    @Test("a running gateway seals its events; verify finds nothing, and reports tampering")
    func verify() async throws {
        try await withDeployment { deployment in
            try await deployment.serving { gateway in
                _ = try await gateway.anyone()
                try await Self.insert(["one", "two"], deployment)
                _ = try await poll(within: .seconds(90)) {
                    try await gateway.count(
                        "select count(*) from audit_inbox"
                    ) == 0 ? true : nil
                }
                let good = try await deployment.run("audit", "verify")
                #expect(good.exitCode == 0, "\(good.errors)")
                let head = try #require(good.output.split(separator: "\n").last?.split(separator: " ").last)
                let again = try await deployment.run("audit", "verify", "--expect-head", String(head))
                #expect(again.exitCode == 0, "\(again.output)")

                let other = "1:" + String(repeating: "00", count: 32)
                let wrong = try await deployment.run("audit", "verify", "--expect-head", other)
                #expect(wrong.exitCode == 1 && wrong.output.contains("position 1 has an unexpected digest"))
                let ids = try await deployment.database.pool.withTransaction { connection in
                    let ids = try connection.query("select id from audit_events where action = 'x' order by id").map {
                        try $0.value(0, as: Int.self)
                    }
                    try connection.executeScript(
                        """
                        set local session_replication_role = replica;
                        update audit_sealed set client_id = 'x' where reason = 'one'; delete from audit_sealed where reason = 'two'
                        """)
                    return ids
                }
                let bad = try await deployment.run("audit", "verify")
                #expect(bad.exitCode == 1 && bad.errors.contains("2 breaches"))
                #expect(bad.output.contains("row \(ids[0]) at position ") && bad.output.contains(" was changed"))
                #expect(bad.output.contains("row \(ids[1]) at position ") && bad.output.contains(" was removed"))
            }
        }
    }

    @Test("list shows matching rows, newest first, without control characters")
    func list() async throws {
        try await withDeployment { deployment in
            try await Self.insert(["one", "two", "\u{1B}[2Jred"], deployment)
            let all = try await deployment.run("audit", "list")
            let lines = all.output.split(separator: "\n")
            #expect(lines.count == 3 && lines[0].hasPrefix("3\t") && !all.output.contains("\u{1B}"))
            let some = try await deployment.run("audit", "list", "--reason", "two", "--outcome", "done")
            #expect(some.output.split(separator: "\n").map { $0.hasPrefix("2\t") } == [true])
            let none = try await deployment.run("audit", "list", "--from", "2100-01-01")
            #expect(none.exitCode == 0 && none.output == "")
            let first = try await deployment.run("audit", "list", "--limit", "1")
            #expect(first.output.split(separator: "\n") == [lines[0]])
        }
    }

    @Test("--no-views leaves out what operators looked at, in the list and in the file")
    func views() async throws {
        try await withDeployment { deployment in
            try await deployment.database.pool.withConnection { connection in
                try connection.executeScript(
                    "insert into audit_inbox (action, outcome) values ('signed_in', 'done'), ('audit_viewed', 'done')")
            }
            for command in ["list", "export"] {
                let all = try await deployment.run("audit", command)
                #expect(all.output.contains("signed_in") && all.output.contains("audit_viewed"), "\(all)")
                let some = try await deployment.run("audit", command, "--no-views")
                #expect(some.output.contains("signed_in") && !some.output.contains("audit_viewed"), "\(some)")
            }
        }
    }

    @Test("a filter with a word that no row has is a wrong argument, with the nearest word or a short list")
    func unknownWords() async throws {
        try await withDeployment { deployment in
            try await Self.insert(["one", "two"], deployment)
            let made = try await deployment.run("clients", "create", "ducks", "--provider", "-")
            #expect(made.exitCode == 0, "\(made)")
            for (words, error) in [
                (["--action", "signed_inn"], "--action: no row has signed_inn. Did you mean 'signed_in'?\n"),
                (["--reason", "three"], "--reason: no row has three.\n"),
                (["--client", "ap"], "--client: no row has ap. Accepted: ducks.\n"),
            ] {
                for command in ["list", "export"] {
                    let result = try await deployment.run(["audit", command] + words)
                    #expect(result.exitCode == 64 && result.errors.hasSuffix(error), "\(result)")
                }
            }
            for words in [["--action", "signed_in"], ["--action", "x", "--to", "2000-01-01"]] {
                let nothing = try await deployment.run(["audit", "list"] + words)
                #expect(nothing.exitCode == 0 && nothing.output == "" && nothing.errors == "", "\(nothing)")
            }
        }
    }

    @Test(
        "invalid arguments are refused before any action",
        arguments: [
            ["prune", "--keep-months", "2"], ["verify", "--expect-head", "x"], ["list", "--account", "x"],
            ["list", "--from", "yesterday"], ["list", "--outcome", "maybe"], ["export", "--format", "xml"],
        ])
    func refused(arguments: [String]) async throws {
        try await withDeployment { deployment in
            let result = try await deployment.run(["audit"] + arguments)
            #expect(result.exitCode == 64)
        }
    }

    @Test("pruning reports the dropped months, and too small a number of months stops the gateway")
    func prune() async throws {
        try await withDeployment { deployment in
            let nothing = try await deployment.run("audit", "prune", "--keep-months", "3", "--yes")
            #expect(nothing.exitCode == 0 && nothing.output == "no months to drop\n")
            let wrong = try await deployment.run("check-configuration", changes: ["AUDIT_KEEP_MONTHS": "2"])
            #expect(wrong.exitCode == 78 && wrong.errors.contains("AUDIT_KEEP_MONTHS"))
        }
    }
}

/// The memory of `gateway audit export`.
@Suite("The audit command on many rows")
struct AuditExportLongTests {
    @Test(
        "an export of 100,000 rows needs no more memory than one of a few thousand", .enabled(if: ChildMemory.isTelling)
    )
    func memory() async throws {
        try await withDeployment { deployment in
            let few = try await Self.peak(of: 4_000, deployment)
            for _ in 0..<12 {
                try await AuditCommandTests.insert([String](repeating: "known", count: 8_000), deployment)
            }
            let many = try await Self.peak(of: 100_000, deployment)
            // All rows together would exceed 60 MiB.
            #expect(many < few + 24 * 1_024, "\(few) KiB, then \(many) KiB")
        }
    }

    /// Adds the first rows if there are none, exports all, and returns the process's peak memory in KiB.
    private static func peak(of count: Int, _ deployment: Deployment) async throws -> Int {
        if count == 4_000 { try await AuditCommandTests.insert([String](repeating: "known", count: 4_000), deployment) }
        let child = try ChildProcess(
            "gateway", ["audit", "export"], environment: deployment.environment, folder: deployment.folder)
        var peak = 0
        while child.exitCode == nil {
            // It may have ended before the measurement.
            peak = max(peak, (try? child.memory(.peak)) ?? 0)
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(child.exitCode == 0 && child.errors.contains("\(count) rows"))
        #expect(child.output.utf8.split(separator: UInt8(ascii: "\n")).count == count + 1)
        return peak
    }
}
