import JSON
import Postgres
import Testing

/// Codes by a real mail server.
@Suite("Mail delivery")
struct MailDeliveryTests {
    @Test("a code comes over STARTTLS with a login, and a mail server that is down is told of as such")
    func delivery() async throws {
        try await withDeployment { deployment in
            let server = try await MailServer.start(in: deployment.folder)
            try await deployment.serving(server.configuration) { gateway in
                let email = Fresh.email()
                let flow = try await gateway.beginSignUp(email)
                let code = try await server.code(to: email)
                let mail = try #require(server.mails.first)
                #expect(mail.text.contains("\n    \(code)\n"))
                #expect(try SignedInAnswer(try await gateway.confirm(flow, code)).email == email)
                // Nothing is printed and no file is written: the mail server has it.
                #expect(gateway.child.output.isEmpty)
                #expect(gateway.mails(to: email).isEmpty)

                try await server.stop()
                let other = Fresh.email()
                let refused = try await gateway.trySignUp(other)
                #expect(refused.status == 503)
                #expect(refused.code == "delivery_unavailable")
                #expect(Int(refused.header("Retry-After") ?? "") ?? 0 >= 1)
                // The sign-up was begun before its mail could not be sent.
                let rows = try await gateway.audit(refused, atLeast: 2)
                #expect(Set(rows.map(\.action)) == ["sign_up_started", "sign_up"])
                #expect(rows.contains { $0.outcome == "refused" && $0.reason == "delivery_unavailable" })
                #expect(try await gateway.count("select count(*) from account_emails where address = \(other)") == 0)
                // The other ways in are unharmed.
                #expect(try await gateway.anyone().isNewAccount)
                #expect(try await gateway.passwordSignIn(email, GatewayProcess.password).status == 200)
            }
        }
    }
}
