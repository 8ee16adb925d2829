import Cryptography
import Postgres
import TestSupport
import Testing

@testable import Gateway

@Suite("Why the server did not start")
struct StartFailureTests {
    @Test(
        "signing keys under a lost master key: the setting and the remedy are named",
        arguments: [SealedBoxError.unknownKey(id: "k1"), .notAuthentic])
    func lostMasterKey(error: SealedBoxError) {
        let sentence = StartFailure.sentence(for: error)
        #expect(sentence.contains("MASTER_KEYS") && sentence.contains("Put that one back"))
        #expect(StartFailure.status(of: error) == ExitStatus.configuration)
    }

    @Test("K9: a server that stops promises no attempt, and blames PostgreSQL only where it can't be reached")
    func databases() {
        let absent = StartFailure.sentence(for: PostgresError.unavailable(retryAfter: 3))
        #expect(absent.contains("Is DATABASE_URL right, and PostgreSQL running?"))
        #expect(absent.contains("does not try again") && !absent.contains("next attempt"))
        let denied = PostgresError.statement(
            .insufficientPrivilege, constraint: nil, message: "permission denied for table clients")
        let sentence = StartFailure.sentence(for: denied)
        #expect(sentence.contains("permission denied for table clients") && sentence.contains("roles.sql"))
        #expect(sentence.contains("PostgreSQL is running,") && !sentence.contains("DATABASE_URL right"))
    }

    @Test("F1: a console's client without the permission administration stops the start, and the remedy is named")
    func console() async throws {
        let deployment = try await Deployment.make()
        let made = try await deployment.run("clients", "create", "plain", "--reason", "an app like others")
        #expect(made.exitCode == 0, "\(made.errors)")
        let refused = try await deployment.run("serve", changes: ["CONSOLE_CLIENT_ID": "plain"])
        #expect(refused.exitCode == 78, "\(refused.errors)")
        #expect(refused.errors.contains("CONSOLE_CLIENT_ID: is plain, a client without the permission administration"))
        #expect(
            refused.errors.contains("gateway clients change plain --audience account --audience administration"))
        await deployment.remove()
    }

    @Test("K9: the serve command says so itself, where nobody answers and where a right is missing")
    func serve() async throws {
        let deployment = try await Deployment.make()
        let absent = try await deployment.run("serve", changes: ["DATABASE_URL": "host=/nowhere dbname=x"])
        #expect(absent.exitCode == 69)
        #expect(absent.errors.contains("does not try again") && !absent.errors.contains("next attempt"))
        let role = "poor_\(Fresh.text())"
        let script = """
            create role \(role) login; grant usage on schema public to \(role);
            grant select on schema_migrations, schema_functions to \(role)
            """
        _ = try await deployment.database.pool.withConnection { try $0.executeScript(script) }
        let denied = try await deployment.run(
            "serve", changes: ["DATABASE_URL": deployment.database.url + " user=\(role)"])
        #expect(denied.exitCode == 1)
        #expect(
            denied.errors.contains("roles.sql") && !denied.errors.contains("PostgreSQL running?"), "\(denied.errors)")
        _ = try await deployment.database.pool.withConnection {
            try $0.executeScript("drop owned by \(role); drop role \(role)")
        }
        await deployment.remove()
    }
}
