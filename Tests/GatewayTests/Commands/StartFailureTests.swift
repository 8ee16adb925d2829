import Cryptography
import Postgres
import TestSupport
import Testing

@testable import Commands

@Suite("Why the server did not start")
struct StartFailureTests {
    @Test(
        "signing keys under a lost master key: the setting and the remedy are named",
        arguments: [SealedBoxError.unknownKey(id: "k1"), .notAuthentic])
    func lostMasterKey(error: SealedBoxError) {
        let sentence = StartFailure.sentence(for: error)
        #expect(sentence.contains("MASTER_KEYS") && sentence.contains("Put it back"))
        #expect(StartFailure.status(of: error) == ExitStatus.configuration)
    }

    @Test("K9: a server that stops promises no attempt, and blames PostgreSQL only where it can't be reached")
    func databases() {
        let absent = StartFailure.sentence(for: PostgresError.unavailable(retryAfter: 3))
        #expect(absent.contains("Check DATABASE_URL and whether PostgreSQL is running."))
        #expect(absent.contains("doesn't retry") && !absent.contains("next attempt"))
        let denied = PostgresError.statement(
            .insufficientPrivilege, constraint: nil, message: "permission denied for table clients")
        let sentence = StartFailure.sentence(for: denied)
        #expect(sentence.contains("permission denied for table clients") && sentence.contains("roles.sql"))
        #expect(sentence.contains("PostgreSQL is running,") && !sentence.contains("Check DATABASE_URL"))
    }

    @Test("F1: a console's client without the permission administration stops the start, and the remedy is named")
    func console() async throws {
        let deployment = try await Deployment.make()
        let made = try await deployment.run(
            "clients", "create", "plain", "--provider", "password", "--reason", "an app like others")
        #expect(made.exitCode == 0, "\(made.errors)")
        let refused = try await deployment.run("serve", changes: ["CONSOLE_CLIENT_ID": "plain"])
        #expect(refused.exitCode == 78, "\(refused.errors)")
        #expect(refused.errors.contains("CONSOLE_CLIENT_ID: is plain, a client without the permission administration"))
        #expect(
            refused.errors.contains("gateway clients change plain --add-audience administration"))
        await deployment.remove()
    }

    @Test(
        "K9: a connection that PostgreSQL refuses is reported with its code and remedy",
        arguments: [
            ("28P01", "Correct the password"), ("28000", "Correct the user"), ("3D000", "Correct the database name"),
            ("42501", "the CONNECT permission"), ("53300", "no connection left"), ("57P03", "starting or stopping"),
            ("XX000", "Its log has details"),
        ])
    func refusals(state: String, remedy: String) {
        let sentence = StartFailure.sentence(
            for: ConnectionRefusal(state: SQLState(rawValue: state), message: "said so"))
        #expect(
            sentence.contains("PostgreSQL refused the connection (\(state)): said so.") && sentence.contains(remedy))
        #expect(!sentence.contains("reached") && !sentence.contains("whether PostgreSQL is running"))
    }

    /// The rights that a role lacks, each with its remedy.
    private static func poorRole(_ deployment: Deployment, _ script: @escaping @Sendable (String, String) -> String)
        async throws -> String
    {
        let role = "poor_\(Fresh.text())"
        _ = try await deployment.database.pool.withConnection { connection in
            let name: String = try connection.queryOne("select current_database()::text")?.value(0) ?? ""
            try connection.executeScript("create role \(role) login; \(script(role, name))")
        }
        return role
    }

    @Test(
        "K9: without USAGE on the schema no migration is called missing, but the right",
        arguments: ["serve", "migrate --dry-run", "accounts search x", "keys list", "audit list"])
    func hiddenSchema(command: String) async throws {
        let deployment = try await Deployment.make()
        let role = try await Self.poorRole(deployment) { _, _ in "revoke usage on schema public from public" }
        let arguments = command.split(separator: " ").map(String.init)
        let denied = try await deployment.run(
            arguments, changes: ["DATABASE_URL": deployment.database.url + " user=\(role)"])
        #expect(denied.exitCode == 1)
        #expect(denied.errors.contains("no USAGE right on schema public"), "\(denied.errors)")
        #expect(command.hasPrefix("migrate") || denied.errors.contains("deploy/postgres/roles.sql"), "\(denied.errors)")
        #expect(!denied.errors.contains("lacks") && !denied.output.contains("missing"))
        _ = try await deployment.database.pool.withConnection {
            try $0.executeScript("drop owned by \(role); drop role \(role)")
        }
        await deployment.remove()
    }

    @Test("K9: every command distinguishes a refused connection from an unreachable server")
    func refusedConnections() async throws {
        let deployment = try await Deployment.make()
        let role = try await Self.poorRole(deployment) { _, database in
            "revoke connect on database \"\(database)\" from public"
        }
        let url = deployment.database.url
        let cases = [
            (url + " user=\(role)", "42501", "the CONNECT permission"),
            (url + " user=nobody_\(Fresh.text())", "28000", "Correct the user"),
            (url + " dbname=none_\(Fresh.text())", "3D000", "Correct the database name"),
        ]
        for (address, state, remedy) in cases {
            for command in [["serve"], ["migrate"], ["admin", "grant", "a@example.com", "--role", "viewer", "--yes"]] {
                let refused = try await deployment.run(command, changes: ["DATABASE_URL": address])
                #expect(refused.exitCode == 69)
                #expect(
                    refused.errors.contains("refused the connection (\(state))") && refused.errors.contains(remedy),
                    "\(command) \(refused.errors)")
                #expect(
                    !refused.errors.contains("whether PostgreSQL is running")
                        && !refused.errors.contains("can't be reached"))
            }
        }
        _ = try await deployment.database.pool.withConnection {
            try $0.executeScript("drop owned by \(role); drop role \(role)")
        }
        await deployment.remove()
    }

    @Test("a command with a wrong port names the setting, as the server does, and is no server that has stopped")
    func wrongPort() async throws {
        try await withDeployment { deployment in
            for command in [["accounts", "search", "ann"], ["migrate"], ["audit", "list"]] {
                let result = try await deployment.run(
                    command, changes: ["DATABASE_URL": "host=127.0.0.1 port=1 dbname=x connect_timeout=10"])
                #expect(result.exitCode == 69)
                #expect(result.errors.contains("Check DATABASE_URL and whether PostgreSQL is running."))
                #expect(result.errors.contains("port 1 failed: Connection refused"), "\(result.errors)")
                #expect(!result.errors.contains("The server"), "\(command): \(result.errors)")
            }
        }
    }

    @Test("a pooler in transaction mode stops the start, which names it; in session mode the server serves")
    func pooler() async throws {
        let deployment = try await Deployment.make()
        let transactions = try await PgBouncer.start(deployment, mode: "transaction")
        let refused = try await deployment.run("serve", changes: ["DATABASE_URL": transactions.url])
        #expect(refused.exitCode == 78 && refused.errors.contains("pool_mode = session"), "\(refused.errors)")
        await transactions.stop()
        let sessions = try await PgBouncer.start(deployment, mode: "session")
        try await deployment.serving(["DATABASE_URL": sessions.url]) { gateway in
            let page = try? await gateway.get("/login")
            #expect(page?.status == 200)
        }
        await sessions.stop()
        await deployment.remove()
    }

    @Test("K9: the serve command reports an unreachable server and a missing permission itself")
    func serve() async throws {
        let deployment = try await Deployment.make()
        let absent = try await deployment.run("serve", changes: ["DATABASE_URL": "host=/nowhere dbname=x"])
        #expect(absent.exitCode == 69 && absent.errors.contains("/nowhere/.s.PGSQL.5432"), "\(absent.errors)")
        #expect(absent.errors.contains("doesn't retry") && !absent.errors.contains("next attempt"))
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
            denied.errors.contains("roles.sql") && !denied.errors.contains("whether PostgreSQL is running"),
            "\(denied.errors)")
        _ = try await deployment.database.pool.withConnection {
            try $0.executeScript("drop owned by \(role); drop role \(role)")
        }
        await deployment.remove()
    }
}
