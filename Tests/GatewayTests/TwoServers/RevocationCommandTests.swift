import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// `gateway sessions revoke`, while two servers work.
@Suite("Ending sessions by their start time")
struct RevocationCommandTests {
    @Test("A-15: sessions from a restored backup are ended at every server, and later ones are not")
    func revoke() async throws {
        try await withGatewayPair { pair in
            let restored = [try await pair.one.anyone(), try await pair.two.anyone()]
            // Both servers have cached the sessions by now.
            for session in restored {
                for gateway in [pair.one, pair.two] {
                    #expect(try await gateway.checkSession(session.accessToken).status == 200)
                }
            }
            let moment = Date().addingTimeInterval(1).formatted(.iso8601)
            _ = try await poll { Date() > (try Date(moment, strategy: .iso8601)) ? true : nil }
            let later = try await pair.one.anyone()

            let arguments = ["sessions", "revoke", "--issued-before", moment, "--reason", "restored a backup"]
            let dry = try await pair.deployment.run(arguments + ["--dry-run"])
            #expect(dry.exitCode == 0 && dry.output.contains("2 sessions would end"), "\(dry.output)\(dry.errors)")
            #expect(try await pair.one.checkSession(restored[0].accessToken).status == 200)
            let unconfirmed = try await pair.deployment.run(arguments)
            #expect(unconfirmed.exitCode == 64 && unconfirmed.errors.contains("Sessions that end: 2."))
            #expect(try await pair.one.checkSession(restored[0].accessToken).status == 200)
            let command = try await pair.deployment.run(arguments + ["--yes"])
            #expect(command.exitCode == 0 && command.output.contains("2 sessions ended"), "\(command.errors)")

            for gateway in [pair.one, pair.two] {
                for session in restored {
                    _ = try await poll {
                        try await gateway.checkSession(session.accessToken).status == 401 ? true : nil
                    }
                    let refreshed = try await gateway.post(
                        "/v1/token/refresh", ["refresh_token": .string(session.refreshToken)])
                    #expect(refreshed.status == 401)
                }
                #expect(try await gateway.checkSession(later.accessToken).status == 200)
            }
            let rows = try await pair.one.count(
                """
                select count(*) from audit_events
                 where action = 'sessions_revoked' and reason = 'restored a backup' and detail->>'sessions' = '2'
                """)
            #expect(rows == 1)
        }
    }

    @Test("an invalid time, and a command without a reason, change nothing")
    func badInput() async throws {
        try await withGateway { gateway in
            let session = try await gateway.session("apple")
            for arguments in [
                ["--issued-before", "yesterday", "--reason", "x"], ["--issued-before", "now"], ["--reason", "x"],
            ] {
                let command = try await gateway.deployment.run(["sessions", "revoke"] + arguments)
                #expect(command.exitCode == 64, "\(command.errors)")
            }
            #expect(try await gateway.get("/v1/session", bearer: session.accessToken).status == 200)
        }
    }
}
