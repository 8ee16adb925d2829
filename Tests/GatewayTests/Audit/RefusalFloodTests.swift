import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// Thousands of refusals; this gateway stores three rows per kind and minute.
@Suite("Refusals by the thousand")
struct RefusalFloodTests {
    private static let changes = ["AUDIT_REFUSALS_PER_MINUTE": "3", "TRUSTED_PROXIES": "127.0.0.1"]

    /// Calls without a token, or with an invalid one.
    private static let nonsense: [TestRequest] = [
        TestRequest("GET", "/v1/account"), TestRequest("GET", "/v1/account").bearer("nonsense"),
        TestRequest("GET", "/v1/session"), TestRequest("GET", "/v1/session").bearer("a.b.c"),
        TestRequest("GET", "/v1/session").header("Cookie", "__Host-session=nonsense"),
        TestRequest("POST", "/v1/token/refresh").json(["refresh_token": "rt_nonsense"]),
        TestRequest("POST", "/v1/token").form([
            ("grant_type", "refresh_token"), ("client_id", "app"), ("refresh_token", "rt_nonsense"),
        ]),
        TestRequest("GET", "/admin/api/v1/accounts"), TestRequest("GET", "/admin/api/v1/accounts").bearer("nonsense"),
        TestRequest("GET", "/admin/audit/live/rows"),
        TestRequest("GET", "/oauth2/userInfo"), TestRequest("GET", "/oauth2/userInfo").bearer("nonsense"),
    ]

    private static func refusals(_ gateway: GatewayProcess, from address: String) async throws -> [String] {
        try await gateway.sql { connection in
            try connection.query(
                """
                select action || ' ' || reason || coalesce(' ' || (detail->>'further'), '') from audit_events
                 where outcome = 'refused' and address = \(address) order by id
                """
            ).map { try $0.value(0) }
        }
    }

    @Test("F5: a missing or malformed token is counted and leaves no row, at every door")
    func nonsense() async throws {
        try await withGateway(Self.changes) { gateway in
            for request in Self.nonsense {
                let answer = try await gateway.send(request.header("X-Forwarded-For", "198.51.100.1"))
                #expect([400, 401].contains(answer.status), "\(request.path): \(answer.status)")
            }
            // A row after all of them.
            let last = try await gateway.send(
                TestRequest("POST", "/v1/sign-in").header("X-Forwarded-For", "198.51.100.1").json([
                    "provider": "nobody", "client_id": "app", "credential": [:],
                ]))
            _ = try await gateway.audit(last)
            #expect(try await Self.refusals(gateway, from: "198.51.100.1") == ["sign_in provider_unknown"])
        }
    }

    @Test("F5: a flood of refusals leaves a few rows and a count, and displaces no others")
    func flood() async throws {
        try await withDeployment { deployment in
            let gateway = try await deployment.start(Self.changes)
            @Sendable func guess(from address: String) async throws -> TestAnswer {
                try await gateway.send(
                    TestRequest("POST", "/v1/sign-in").header("X-Forwarded-For", address).json([
                        "provider": "nobody", "client_id": "app", "credential": [:],
                    ]))
            }
            let answers = try await inParallel(200) { _ in try await guess(from: "198.51.100.1") }
            #expect(answers.allSatisfy { $0.code == "provider_unknown" })
            _ = try await gateway.audit(try await guess(from: "203.0.113.1"))
            await gateway.expectGoodEnd()
            // If a minute ended in between, there are two counts.
            let rows = try await deployment.database.pool.withConnection { connection in
                try connection.query(
                    """
                    select coalesce((detail->>'further')::integer, 0) from audit_events
                     where outcome = 'refused' and address = '198.51.100.1' order by id
                    """
                ).map { try $0.value(0, as: Int32.self) }
            }
            #expect((4...8).contains(rows.count), "\(rows)")
            #expect(rows.count { $0 == 0 } + Int(rows.reduce(0, +)) == 200)
        }
    }
}
