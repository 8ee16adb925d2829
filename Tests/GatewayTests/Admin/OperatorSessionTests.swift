import Foundation
import JSON
import OperatorAccess
import Postgres
import TestSupport
import Testing

/// The limits of an operator's stolen session.
@Suite(
    "Operators' sessions and reads",
    .gateway(changes: { _ in
        StepServer.configuration.merging([
            "OPERATOR_READS_PER_MINUTE": "20", "OPERATOR_SESSION_HOURS": "2", "OPERATOR_IDLE_MINUTES": "10",
        ]) { $1 }
    }))
struct OperatorSessionTests {
    private static let why: JSON = ["reason": "asked by the person"]

    @Test("F6: an operator who exceeds the read limit waits, which is logged; a change is still answered")
    func limit() async throws {
        let gateway = try GatewayProcess.current
        let (support, other) = (
            try await gateway.operatorSession("support"), try await gateway.operatorSession("viewer")
        )
        let person = try await gateway.signUp(Fresh.email())
        let path = "accounts/\(person.account)"
        var refused: TestAnswer?
        for _ in 0..<30 where refused == nil {
            let answer = try await gateway.admin("GET", path, by: support)
            if answer.status != 200 { refused = answer }
        }
        let answer = try #require(refused)
        try await gateway.expectRefusal(answer, 429, "throttled", action: "show_account")
        let changed = try await gateway.admin("POST", "\(path)/disable", Self.why, by: support)
        #expect(changed.status == 200 && changed.json["account"]?["status"] == "disabled", "\(changed.text)")
        let seen = try await gateway.admin("GET", path, by: other)
        #expect(seen.status == 200)
        let row = try #require(try await gateway.audit(seen).first)
        #expect((row.action, row.account, row.actor) == ("account_viewed", person.account, other.account))
    }

    @Test("F6: sessions of an administration client have their own lifetimes")
    func lives() async throws {
        let gateway = try GatewayProcess.current
        let person = try await ConsoleOperator(gateway, .viewer)
        let browser = try await person.open()
        #expect(browser.page.status == 200)
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let console = try SignedInAnswer(
            try await gateway.passwordSignIn(email, GatewayProcess.password, app: GatewayProcess.consoleClient))
        let app = try SignedInAnswer(try await gateway.passwordSignIn(email, GatewayProcess.password))
        let (mine, theirs, who) = (console.session, app.session, person.account)
        let rows: [String] = try await gateway.sql { connection in
            try connection.query(
                """
                select idle_seconds || ' ' || round(extract(epoch from expires_at - created_at) / 3600) from sessions
                 where id in (\(UUID(uuidString: mine)), \(UUID(uuidString: theirs)))
                    or account_id = \(UUID(uuidString: who)) and client_id = 'console'
                 order by client_id, id
                """
            ).map { try $0.value(0) }
        }
        #expect(rows == ["2592000 2160", "600 2", "600 2"])
        #expect(console.answer.json["session"]?["refresh_expires_in"] == 600)
        // After the idle timeout, a new sign-in is required.
        try await gateway.change(
            "update sessions set idle_expires_at = now() where account_id = \(person.account)::uuid and ended_at is null"
        )
        let late = try await browser.send(TestRequest("GET", "/admin"))
        #expect(late.status != 200 && !late.text.contains("id=\"search\""))
    }
}
