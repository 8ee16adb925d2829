import Foundation
import JSON
import Postgres
import Testing

/// Refreshes of one session: here five at once, and five an hour.
@Suite("The budget of refreshes", .gateway(["THROTTLE_REFRESH_PER_HOUR": "5"]))
struct RefreshBudgetTests {
    private func rows(_ session: String) async throws -> Int {
        try await GatewayProcess.current.count(
            """
            select count(*) from audit_events where session_id = \(session)::uuid and action in ('refreshed', 'refresh_repeated')
            """)
    }

    @Test("3-D16: a kept refresh token gives few tokens and audit rows, however often it is sent")
    func kept() async throws {
        let api = try await CognitoAPI.enabled(on: try GatewayProcess.current)
        let tokens = try await api.anyone()
        let answers = try await inParallel(20) { _ in
            try await api.raw(
                "GetTokensFromRefreshToken",
                ["ClientId": .string(api.clientID), "RefreshToken": .string(tokens.refreshToken)]
            ).json
        }
        #expect(answers.count { $0["AuthenticationResult"] != nil } == 5, "\(answers)")
        #expect(answers.count { $0["__type"] == "TooManyRequestsException" } == 15, "\(answers)")
        #expect(try await rows(try #require(try tokens.access["origin_jti"]?.string)) == 5)
    }

    @Test("3-D16: a rotating session has the same budget, retries included, and another session its own")
    func rotating() async throws {
        let gateway = try GatewayProcess.current
        let first = try await gateway.anyone()
        var token = first.refreshToken
        for _ in 0..<3 { token = try await gateway.refreshed(token).refreshToken }
        let last = token
        let next = try await gateway.refreshed(last).refreshToken
        #expect(try await gateway.refresh(last).status == 200, "a retry within the grace period")
        try await gateway.expectRefusal(try await gateway.refresh(last), 429, "throttled", action: "refresh")
        try await gateway.expectRefusal(try await gateway.refresh(next), 429, "throttled", action: "refresh")
        #expect(try await gateway.refresh(try await gateway.anyone().refreshToken).status == 200)
        // Nothing was spent: with the budget the session goes on.
        try await gateway.change("update sessions set refresh_arrival = null where account_id = \(first.account)::uuid")
        #expect(try await gateway.refresh(next).status == 200)
    }
}
