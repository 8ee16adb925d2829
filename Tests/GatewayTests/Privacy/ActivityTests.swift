import Foundation
import JSON
import TestSupport
import Testing

/// `GET /v1/account/events`: the events of an account, for its holder.
@Suite("The activity of an account", .gateway(StepServer.configuration))
struct ActivityTests {
    @Test("it shows security events, newest first, with actor and origin, and nothing internal")
    func events() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.protectedPerson()
        let session = try await gateway.signIn(person)
        _ = try await gateway.refreshed(session.refreshToken)
        let command = try await gateway.deployment.run("accounts", "demand-second-factor", person.account)
        #expect(command.exitCode == 0, "\(command.errors)")

        let answer = try await gateway.get("/v1/account/events", bearer: session.accessToken)
        #expect(answer.status == 200, "\(answer.text)")
        let events = answer.json["events"]?.array ?? []
        #expect(
            events.compactMap { $0["type"]?.string }
                == [
                    "second_factor_demanded", "signed_in", "session_ended", "factor_added", "signed_in",
                    "account_created",
                ])
        #expect(events.compactMap { $0["by"]?.string } == ["support"] + [String](repeating: "person", count: 5))
        #expect(events[3]["about"] == "totp")
        #expect(events[1]["address"] == "127.0.0.1" && events[1]["client_id"] == "app")
        #expect(events[0]["address"] == .null)
        #expect(answer.json["next_cursor"] == .null)
        for word in ["detail", "request", "flow", "refreshed", "rule"] { #expect(!answer.text.contains(word)) }
    }

    @Test(
        "wrong passwords and codes are in the activity and in the operator's history; the answer names no account")
    func wrongAnswers() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.protectedPerson()
        let session = try await gateway.signIn(person)
        for _ in 0..<3 {
            let refused = try await gateway.passwordSignIn(person.email, "not the password")
            #expect(refused.code == "invalid_credentials" && !refused.text.contains(person.account))
        }
        let asked = try await gateway.passwordSignIn(person.email, GatewayProcess.password)
        let flow = try #require(asked.json["flow"]?.string, "\(asked.text)")
        let wrong = try await gateway.answer(flow, ["code": "000000"])
        #expect(wrong.code == "code_wrong" && !wrong.text.contains(person.account))
        let types = try await poll {
            let answer = try await gateway.get("/v1/account/events", bearer: session.accessToken)
            let types = (answer.json["events"]?.array ?? []).compactMap { $0["type"]?.string }
            return types.count { $0.hasPrefix("wrong") } == 4 ? types : nil
        }
        #expect(types.prefix(4) == ["wrong_code", "wrong_password", "wrong_password", "wrong_password"])
        let history = try await gateway.deployment.run("accounts", "history", person.account)
        #expect(history.output.matches(of: /invalid_credentials/).count == 3, "\(history.output)")
        #expect(history.output.matches(of: /code_wrong/).count == 1)
    }

    @Test("pages follow each other without a gap and without a repetition; a made-up cursor is refused")
    func pages() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        for _ in 0..<6 { _ = try await gateway.passwordSignIn(email, GatewayProcess.password) }
        var types: [String] = []
        var cursor: String?
        repeat {
            let suffix = cursor.map { "&cursor=\($0)" } ?? ""
            let page = try await gateway.get("/v1/account/events?limit=2\(suffix)", bearer: person.accessToken)
            #expect((page.json["events"]?.array?.count ?? 0) <= 2)
            types += (page.json["events"]?.array ?? []).compactMap { $0["type"]?.string }
            cursor = page.json["next_cursor"]?.string
        } while cursor != nil && types.count < 20
        #expect(types == Array(repeating: "signed_in", count: 6) + ["account_created"])
        for query in ["cursor=1", "cursor=made-up", "limit=0", "limit=101", "limit=x"] {
            let refused = try await gateway.get("/v1/account/events?\(query)", bearer: person.accessToken)
            #expect(refused.code == "invalid_request", "\(query): \(refused.text)")
        }
    }
}
