import JSON
import Postgres
import Testing

/// Mailed codes for user names.
@Suite("A mailed code for a user name", .gateway(StepServer.configuration))
struct UserNameCodeTests {
    private static func person(named name: String) async throws -> (email: String, account: String) {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let account = try await gateway.signUp(email).account
        try await gateway.change(
            "update accounts set user_name = \(name), user_name_key = \(name) where id = \(account)::uuid")
        return (email, account)
    }

    @Test("the code goes to the proved mailbox and signs in; two letters of the mailbox are shown")
    func provedMailbox() async throws {
        let gateway = try GatewayProcess.current
        let name = "known-\(Fresh.text())"
        let person = try await Self.person(named: name)
        let sent = gateway.mailedCodes(to: person.email)
        let begun = try PendingAnswer(try await gateway.begin("email_otp", name))
        #expect(!begun.answer.text.contains("example"), "\(begun.answer.text)")
        let code = try await gateway.mailedCode(to: person.email, number: sent + 1)
        let signedIn = try SignedInAnswer(try await gateway.answer(begun.flow, ["code": .string(code)]))
        #expect(signedIn.account == person.account)
    }

    @Test("an unknown name and a name without a proved mailbox get the same answers, and no code")
    func withoutMailbox() async throws {
        let gateway = try GatewayProcess.current
        let (bare, unknown) = ("known-\(Fresh.text())", "nobody-\(Fresh.text())")
        let person = try await Self.person(named: bare)
        try await gateway.change(
            "update account_emails set proved_at = null where account_id = \(person.account)::uuid")
        let sent = gateway.mailedCodes(to: person.email)
        var answers: [[String]] = []
        for name in [bare, unknown] {
            let asked = try await gateway.begin("email_otp", name)
            let flow = try PendingAnswer(asked).flow
            answers.append(asked.likeness(of: name))
            answers.append(try await gateway.answer(flow, ["code": "000000"]).likeness(of: name))
            let row = try #require(GatewayProcess.row(of: flow))
            #expect(
                try await gateway.count(
                    "select count(*) from flows where id = \(row) and (account_id is not null or code_digest is not null)"
                ) == 0)
        }
        #expect(answers[0] == answers[2] && answers[1] == answers[3])
        #expect(gateway.mailedCodes(to: person.email) == sent)
    }
}
