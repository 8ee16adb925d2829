import Foundation
import Postgres
import TestSupport
import Testing

/// `gateway accounts import`.
@Suite("The import command")
struct ImportCommandTests {
    private static let hash = "$2b$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e"

    private static func write(_ lines: [String], _ deployment: Deployment) throws -> String {
        let file = "\(deployment.folder)/\(Fresh.text()).jsonl"
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: file))
        return file
    }

    /// Reads once more if the deadline of an overloaded machine broke the connection.
    private static func count(_ query: SQL, _ deployment: Deployment) async throws -> Int {
        let read = { try await deployment.database.pool.withConnection { try $0.queryOne(query)?.value(0) ?? -1 } }
        do {
            return try await read()
        } catch {
            return try await read()
        }
    }

    private static func people(_ count: Int) -> [String] {
        (0..<count).map {
            #"{"id":"\#($0)","email":"p\#($0)@example.com","email_verified":true,"password_hash":"\#(hash)"}"#
        }
    }

    @Test("an import killed at any moment and run again imports each line exactly once")
    func killed() async throws {
        try await withDeployment { deployment in
            let total = 4_000
            var lines = Self.people(total)
            lines[5] = "x"
            lines[total - 1] = #"{"email":"p7@example.com"}"#
            let file = try Self.write(lines, deployment)
            for part in 1...4 {
                let child = try ChildProcess(
                    "gateway", ["accounts", "import", "--run", "killed", file], environment: deployment.environment,
                    folder: deployment.folder)
                _ = try await poll(within: .seconds(200), every: .milliseconds(1)) {
                    let query: SQL = "select coalesce(max(lines), 0) from import_runs where name = 'killed'"
                    return try await Self.count(query, deployment) >= part * 600 ? true : nil
                }
                await child.kill9()
                #expect(child.exitCode != 0)
            }
            let report = "\(deployment.folder)/bad.jsonl"
            let last = try await deployment.run("accounts", "import", "--run", "killed", "--report", report, file)
            #expect(last.exitCode == 65, "\(last.errors)")
            #expect(last.output.hasPrefix("\(total - 2) accounts imported, 2 lines skipped\n"))
            let expected = """
                {"line":6,"reason":"not_json"}
                {"line":\(total),"reason":"email_in_use"}

                """
            #expect(try String(contentsOfFile: report, encoding: .utf8) == expected)
            for table in ["accounts", "account_emails", "passwords", "imported_accounts", "audit_events"] {
                let query: SQL = "select count(*) from \(unsafeSQL: table)"
                #expect(try await Self.count(query, deployment) == total - 2, "\(table)")
            }
        }
    }

    @Test("a dry run reports the result and stores nothing; the same file resumes automatically")
    func rehearsal() async throws {
        try await withDeployment { deployment in
            let file = try Self.write(Self.people(700) + [#"{"phone":"1"}"#, Self.people(1)[0]], deployment)
            let report = "\(deployment.folder)/report"
            let dry = try await deployment.run("accounts", "import", "--dry-run", "--report", report, file)
            #expect(dry.exitCode == 65)
            #expect(dry.output.hasPrefix("700 accounts would be imported, 2 lines skipped\n"))
            let reported = try String(contentsOfFile: report, encoding: .utf8)
            #expect(reported.split(separator: "\n").count == 2)
            #expect(try await Self.count("select count(*) from accounts", deployment) == 0)
            for _ in 0..<2 {
                let real = try await deployment.run("accounts", "import", "--report", report, file)
                #expect(real.exitCode == 65)
                #expect(real.output.hasPrefix("700 accounts imported, 2 lines skipped\n"))
                #expect(try String(contentsOfFile: report, encoding: .utf8) == reported)
                #expect(real.errors.contains("100 %, 702 lines"))
                for text in [real.output, real.errors, reported] { #expect(!text.contains("$2b$")) }
            }
            #expect(try await Self.count("select count(*) from import_runs", deployment) == 1)
        }
    }

    @Test("a Firebase project's hashes need its signer key, which is never stored")
    func firebase() async throws {
        try await withDeployment { deployment in
            let hash =
                "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="
            let signerKey = "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="
            let file = try Self.write(
                [
                    #"{"email":"u@example.com","email_verified":true,"firebase":{"password_hash":"\#(hash)","salt":"42xEC+ixf3L2lw=="}}"#
                ], deployment)
            let without = try await deployment.run("accounts", "import", "--run", "a", file)
            #expect(without.exitCode == 65 && without.output.contains("firebase_parameters_missing"))
            let key = try Self.write([signerKey], deployment)
            let with = try await deployment.run(
                "accounts", "import", "--run", "b", "--firebase-signer-key-file", key, "--firebase-salt-separator",
                "Bw==",
                "--firebase-rounds", "8", "--firebase-memory-cost", "14", file)
            #expect(with.exitCode == 0, "\(with.errors)")
            try await deployment.serving { gateway in
                let wrong = try await gateway.passwordSignIn("u@example.com", "user1passwore")
                let right = try await gateway.passwordSignIn("u@example.com", "user1password")
                #expect(wrong.status == 401 && right.status == 200)
            }
        }
    }

    @Test("a report overwrites only a report, and never the imported file")
    func reportOverOther() async throws {
        try await withDeployment { deployment in
            let file = try Self.write(Self.people(3), deployment)
            let other = try Self.write(Self.people(4), deployment)
            let before = try String(contentsOfFile: file, encoding: .utf8)
            let same = try await deployment.run("accounts", "import", "--dry-run", "--report", file, file)
            #expect(same.exitCode == 64 && same.errors.contains("must not name the imported file"), "\(same.errors)")
            let over = try await deployment.run("accounts", "import", "--dry-run", "--report", other, file)
            #expect(over.exitCode == 73 && over.errors.contains("already exists"), "\(over.errors)")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
            #expect(try String(contentsOfFile: other, encoding: .utf8).split(separator: "\n").count == 4)
        }
    }

    @Test("an import that can't start changes nothing, and states the reason")
    func refused() async throws {
        try await withDeployment { deployment in
            let file = try Self.write(Self.people(3), deployment)
            let missing = try await deployment.run("accounts", "import", "\(file).not")
            #expect(missing.exitCode == 1 && missing.errors.contains("can't be read"))
            let unnamed = try await deployment.run("accounts", "import", "-")
            #expect(unnamed.exitCode == 64 && unnamed.errors.contains("--run"))
            let report = try await deployment.run("accounts", "import", "--report", "/proc/no/such", file)
            #expect(report.exitCode == 73)
            let key = try await deployment.run("accounts", "import", "--firebase-signer-key-file", file, file)
            #expect(key.exitCode == 64 && !key.errors.contains("$2b$"))
            #expect(try await Self.count("select count(*) from accounts", deployment) == 0)
            let nothing = try await deployment.run("accounts", "import", "--run", "empty", "-")
            #expect(nothing.exitCode == 0 && nothing.output.hasPrefix("0 accounts imported"))
            _ = try await deployment.run("accounts", "import", "--run", "one", file)
            let other = try Self.write(Self.people(4).reversed(), deployment)
            let another = try await deployment.run("accounts", "import", "--run", "one", other)
            #expect(another.exitCode == 1 && another.errors.contains("another file"))
            #expect(try await Self.count("select count(*) from accounts", deployment) == 3)
        }
    }
}
