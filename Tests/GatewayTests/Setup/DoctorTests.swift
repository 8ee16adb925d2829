import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// `gateway doctor` against running and broken deployments.
@Suite("The command doctor")
struct DoctorTests {
    @Test("A healthy deployment passes every check, and a test mail arrives")
    func healthy() async throws {
        try await withDeployment { deployment in
            let mail = try await MailServer.start(in: deployment.folder)
            let changes = try Self.address().merging(mail.configuration) { $1 }
            try await deployment.serving(changes) { _ in
                let result = try await deployment.run(
                    ["doctor", "--mail-to", "operator@example.com"], changes: changes)
                #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
                for name in [
                    "DNS", "public address", "health", "database", "schema", "clock", "signing keys", "apps", "mail",
                ] {
                    #expect(result.output.contains("  ok       \(name): "), "\(name): \(result.output)")
                }
                #expect(!result.output.contains("FAILED") && !result.output.contains("\u{1B}"))
                let arrived = try await poll { mail.mails.first }
                #expect(
                    arrived.text.contains("To: <operator@example.com>") || arrived.text.contains("operator@example.com")
                )
                let json = try await deployment.run(["doctor", "--json"], changes: changes)
                #expect(try JSON(parsing: json.output)["passed"] == true, "\(json.output)")
            }
        }
    }

    @Test("A gateway with another issuer, and one that is not ready, fail with their remedy")
    func issuer() async throws {
        try await withDeployment { deployment in
            var changes = try Self.address()
            changes["PUBLIC_URL"] = "http://localhost:1"
            try await deployment.serving(changes) { gateway in
                let base = "http://localhost:\(gateway.port)"
                changes["PUBLIC_URL"] = base
                let result = try await deployment.run(["doctor"], changes: changes)
                #expect(result.exitCode == 1)
                #expect(
                    result.output.contains(
                        "FAILED   public address: \(base) is a gateway with the issuer http://localhost:1"))
                #expect(result.output.contains("Use the same PUBLIC_URL on every server."))
            }
        }
    }

    @Test("3-B2: an event that no server seals raises the metric, fails the doctor, and shows when the log is verified")
    func unsealed() async throws {
        try await withDeployment { deployment in
            let changes = try Self.address()
            let port = try #require(changes["OPS_PORT"].flatMap { $0 }.flatMap { Int($0) })
            try await deployment.serving(changes) { gateway in
                let sealing: SQL =
                    "alter function seal_audit(bigint, text, tid[], bigint[], bytea, bytea) rename to sealing"
                try await gateway.change(sealing)
                try await gateway.change(
                    "insert into audit_inbox (at, action, outcome) values (now() - interval '2 hours', 'x', 'done')")
                let operations = TestClient(port: port)
                let seconds = try await poll(within: .seconds(90)) { () -> Double? in
                    let page = try await operations.send(TestRequest("GET", "/metrics")).text
                    let line = page.split(separator: "\n").first { $0.hasPrefix("audit_unsealed_seconds ") }
                    return line?.split(separator: " ").last.flatMap { Double($0) }.flatMap { $0 > 60 ? $0 : nil }
                }
                #expect(seconds >= 7_200)
                let doctor = try await deployment.run(["doctor"], changes: changes)
                #expect(doctor.exitCode == 1, "\(doctor.output)")
                #expect(doctor.output.contains("FAILED   audit log: an event has waited 72"), "\(doctor.output)")
                let verified = try await deployment.run("audit", "verify")
                #expect(verified.output.contains("the oldest of them has waited 72"), "\(verified.output)")
                try await gateway.change(
                    "alter function sealing(bigint, text, tid[], bigint[], bytea, bytea) rename to seal_audit")
            }
        }
    }

    @Test("3-N4: keys list names the algorithm of each key, and one current and one next key of each")
    func keyStates() async throws {
        try await withDeployment { deployment in
            try await deployment.serving { gateway in
                _ = try await CognitoAPI.enabled(on: gateway)
                let list = try await deployment.run("keys", "list")
                #expect(list.exitCode == 0, "\(list.errors)")
                let keys = list.output.split(separator: "\n").map {
                    $0.split(separator: "\t").dropFirst().prefix(2).joined(separator: " ")
                }
                #expect(keys.sorted() == ["ES256 current", "ES256 next", "RS256 current", "RS256 next"])
            }
        }
    }

    @Test("The keys of a dialect, which another key set publishes, are no fault")
    func dialectKeys() async throws {
        try await withDeployment { deployment in
            let changes = try Self.address()
            try await deployment.serving(changes) { gateway in
                let enabled = try await deployment.run(
                    [
                        "clients", "change", "app", "--reason", "keeps Amplify", "--dialects",
                        #"{"cognito": {"pool_id": "eu-central-1_Abc123XYZ", "client_id": "4example"}}"#,
                    ], changes: changes)
                #expect(enabled.exitCode == 0, "\(enabled.errors)")
                _ = try await poll {
                    try await gateway.count("select count(*) from signing_keys where algorithm = 'RS256'") > 0
                        ? () : nil
                }
                let result = try await deployment.run(["doctor"], changes: changes)
                #expect(result.output.contains("  ok       signing keys: "), "\(result.output)")
            }
        }
    }

    @Test("A provider that no app offers is a warning with the command that adds it")
    func unused() async throws {
        try await withDeployment { deployment in
            let changes = try Self.address()
            try await deployment.serving(changes) { gateway in
                try await gateway.change("update clients set providers = array_remove(providers, 'amazon')")
                let result = try await deployment.run(["doctor"], changes: changes)
                #expect(result.output.contains("  warning  apps: no app offers amazon"), "\(result.output)")
                #expect(result.output.contains("gateway clients change ID --add-provider amazon"))
            }
        }
    }

    @Test("A stopped database is one failure; the checks that need it are skipped")
    func database() async throws {
        try await withDeployment { deployment in
            let changes = [
                "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none", "PUBLIC_URL": "http://localhost:1",
            ]
            let result = try await deployment.run(["doctor"], changes: changes)
            #expect(result.exitCode == 1)
            #expect(result.output.contains("FAILED   database: "), "\(result.output)")
            for name in ["schema", "clock", "signing keys", "apps"] {
                #expect(result.output.contains("  skipped  \(name): the database does not answer"), "\(result.output)")
            }
            #expect(result.output.contains("FAILED   public address: nothing answers at http://localhost:1"))
        }
    }

    @Test("A missing migration, other master keys and an unreachable mail server are named, and no secret is shown")
    func broken() async throws {
        try await withDeployment { deployment in
            let mail = try await MailServer.start(in: deployment.folder)
            var changes = try Self.address().merging(mail.configuration) { $1 }
            try await deployment.serving(changes) { _ in }
            try await deployment.database.pool.withConnection { connection in
                _ = try connection.execute(
                    "delete from schema_migrations where name = (select max(name) from schema_migrations)")
            }
            changes["MASTER_KEYS"] = "k1:\(String(repeating: "A", count: 43))"
            changes["SMTP_PASSWORD"] = "another-password-of-the-gateway"
            let result = try await deployment.run(["doctor", "--mail-to", "a@example.com"], changes: changes)
            #expect(result.exitCode == 1)
            for text in [
                "FAILED   schema: ", "FAILED   signing keys: ", "FAILED   mail: ", "SMTP_USER and SMTP_PASSWORD",
            ] {
                #expect(result.output.contains(text), "\(text): \(result.output)")
            }
            #expect(!(result.output + result.errors).contains("another-password"))
        }
    }

    @Test("An untrusted certificate fails before anything else about the address")
    func certificate() async throws {
        let folder = try CertificateFolder()
        try await withDeployment { deployment in
            let pair = try await folder.pair()
            var changes = try Self.address()
            changes["PUBLIC_URL"] = changes["PUBLIC_URL"]??.replacing("http://", with: "https://")
            (changes["TLS_CERTIFICATE_FILE"], changes["TLS_KEY_FILE"]) = (pair.certificate, pair.key)
            changes["ENVIRONMENT"] = "development"
            let environment = deployment.environment.merging(changes.compactMapValues(\.self)) { $1 }
            let gateway = try ChildProcess("gateway", ["serve"], environment: environment, folder: deployment.folder)
            try await poll(within: .seconds(60)) {
                if let code = gateway.exitCode { throw HarnessError("It ended with \(code): \(gateway.errors)") }
                return gateway.errors.contains("listening") ? () : nil
            }
            let result = try await deployment.run(["doctor"], changes: changes)
            #expect(result.exitCode == 1)
            #expect(result.output.contains("FAILED   public address: the certificate of "), "\(result.output)")
            #expect(await gateway.terminate() == 0)
        }
    }

    @Test("A wrong test address is refused before any check")
    func recipient() async throws {
        try await withDeployment { deployment in
            let result = try await deployment.run("doctor", "--mail-to", "nobody")
            #expect(result.exitCode == 64 && result.errors.contains("--mail-to: nobody is not an e-mail address."))
            #expect(result.output == "")
        }
    }

    /// A public address with a free port, and a port for health.
    static func address() throws -> [String: String?] {
        let (port, operations) = (try FreePort.choose(), try FreePort.choose())
        return [
            "PORT": "\(port)", "OPS_PORT": "\(operations)", "PUBLIC_URL": "http://localhost:\(port)",
        ]
    }
}
