import JSON
import Postgres
import TestSupport
import Testing

/// The connection of a gateway's change notifications.
@Suite("A gateway without notifications")
struct DeafGatewayTests {
    @Test("without notifications a gateway trusts no cache and reads each time")
    func readsMeanwhile() async throws {
        try await withGateway { gateway in
            let (stays, goes) = try await (gateway.anyone(), gateway.anyone())
            for person in [stays, goes] { #expect(try await gateway.checkSession(person.accessToken).status == 200) }
            try await gateway.deployment.whileRefusingConnections {
                try await Self.endListener(gateway)
                _ = try await poll(within: .seconds(30)) {
                    try await gateway.get("/health/ready").status == 503 ? () : nil
                }
                // Without a notification, only a read of the row can reveal the change.
                try await gateway.change("update sessions set ended_at = now() where id = \(goes.session)::uuid")
                #expect(try await gateway.checkSession(goes.accessToken).code == "session_ended")
                for _ in 0..<5 { #expect(try await gateway.checkSession(stays.accessToken).status == 200) }
                try await gateway.change(
                    "update accounts set display_name = 'Somebody else' where id = \(stays.account)::uuid")
                let check = try await gateway.checkSession(stays.accessToken)
                #expect(check.json["account"]?["display_name"] == "Somebody else")
                let ready = try await gateway.get("/health/ready")
                #expect(ready.json["checks"]?["changes"] == "failing")
                #expect(ready.json["checks"]?["database"] == "ok")
                #expect(try await gateway.get("/health/live").status == 200)
            }
            _ = try await poll(within: .seconds(60)) {
                try await gateway.get("/health/ready").status == 200 ? () : nil
            }
            // The listener works again, and a notified change arrives.
            #expect(try await gateway.checkSession(stays.accessToken).status == 200)
            #expect(try await gateway.deployment.accounts("disable", stays.account).exitCode == 0)
            _ = try await poll { try await gateway.checkSession(stays.accessToken).status == 401 ? () : nil }
        }
    }

    @Test("a revocation during the listener's absence counts once it is back")
    func missedMeanwhile() async throws {
        try await withGateway { gateway in
            let people = try await inParallel(6) { _ in try await gateway.anyone() }
            for person in people {
                #expect(try await gateway.checkSession(person.accessToken).status == 200)
                // The listener is absent for a moment; the command's notification may fall into that moment.
                try await Self.endListener(gateway)
                let ended = try await gateway.sql { connection in
                    try connection.queryOne(
                        "select end_session(\(person.account)::uuid, \(person.session)::uuid, 'a test', null, null, null)"
                    )?.value(0, as: Bool.self)
                }
                #expect(ended == true)
                _ = try await poll { try await gateway.checkSession(person.accessToken).status == 401 ? () : nil }
                _ = try await poll(within: .seconds(30)) {
                    try await gateway.get("/health/ready").status == 200 ? () : nil
                }
                #expect(try await gateway.checkSession(person.accessToken).code == "session_ended")
            }
        }
    }

    /// Ends the listening connection once there is one, because a reconnect takes a while on a busy machine.
    private static func endListener(_ gateway: GatewayProcess) async throws {
        // It requests a sign of life three times a second, with the shortest statement.
        try await poll(within: .seconds(60)) {
            try await gateway.count(
                """
                select count(pg_terminate_backend(pid)) from pg_stat_activity
                 where datname = current_database() and pid <> pg_backend_pid() and (query = 'select 1' or query like 'listen %')
                """) >= 1 ? () : nil
        }
    }
}
