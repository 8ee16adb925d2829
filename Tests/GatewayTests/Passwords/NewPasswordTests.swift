import Foundation
import JSON
import Postgres
import Testing

/// A new password must differ from the replaced one, at every door.
@Suite("New passwords", .gateway())
struct NewPasswordTests {
    private static let next = "another heron over the weir"

    @Test("U1: neither the temporary password nor the withdrawn one can replace a temporary password")
    func temporary() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        var temporary: [String] = []
        for _ in 0..<2 {
            let command = try await gateway.deployment.run(
                "accounts", "temporary-password", person.account, "--yes", "--json")
            #expect(command.exitCode == 0, "\(command.errors)")
            temporary.append(try #require(try JSON(parsing: command.output)["password"]?.string))
        }
        let asked = try PendingAnswer(
            try await gateway.passwordSignIn(email, temporary[1]), "confirm_sign_in_with_new_password")
        for old in [temporary[1], temporary[0], GatewayProcess.password] {
            try await gateway.expectRefusal(
                try await gateway.answer(asked.flow, ["new_password": .string(old)]), 400, "password_unchanged",
                action: "continue_sign_in")
        }
        let signedIn = try SignedInAnswer(
            try await gateway.answer(asked.flow, ["new_password": .string(Self.next)]))
        #expect(signedIn.account == person.account)
        #expect(try await gateway.passwordSignIn(email, temporary[1]).code == "invalid_credentials")
        // The operator's password has no effect after the user's choice.
        let changed = try await change(signedIn, from: Self.next, to: GatewayProcess.password)
        #expect(changed.status == 204, "\(changed.text)")
    }

    @Test("U1: an operator's reset refuses the old password, and reveals that only after a right code")
    func demandedReset() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        #expect(try await gateway.deployment.run("accounts", "require-reset", person.account, "--yes").exitCode == 0)
        let asked = try await gateway.forgot(email)
        let guessed = try await gateway.reset(
            asked, to: GatewayProcess.password, code: GatewayProcess.wrong(asked.code))
        #expect(guessed.code == "code_wrong")
        try await gateway.expectRefusal(
            try await gateway.reset(asked, to: GatewayProcess.password), 400, "password_unchanged",
            action: "reset_password")
        let row = try #require(GatewayProcess.row(of: asked.pending.flow))
        #expect(try await gateway.count("select tries::int8 from flows where id = \(row)") == 2, "It cost a try.")
        _ = try SignedInAnswer(try await gateway.reset(asked, to: Self.next))
        #expect(try await gateway.passwordSignIn(email, GatewayProcess.password).code == "invalid_credentials")
    }

    @Test("U1: a reset confirms the old password no more often than its attempts allow")
    func tries() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let asked = try await gateway.forgot(email)
        let answers = try await inParallel(12) { _ in
            try await gateway.patiently { try await gateway.reset(asked, to: GatewayProcess.password) }.code
        }
        #expect(answers.count { $0 == "password_unchanged" } == 4)
        #expect(answers.count { $0 == "too_many_tries" } == 8)
    }

    @Test("U1: a voluntary reset and a change refuse the current password")
    func own() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let same = try await change(person, from: GatewayProcess.password, to: GatewayProcess.password)
        try await gateway.expectRefusal(same, 400, "password_unchanged", action: "change_password")
        let wrong = try await change(person, from: "not the password", to: GatewayProcess.password)
        #expect(wrong.code == "invalid_credentials", "Only who knows the password is told.")
        #expect(
            try await gateway.reset(try await gateway.forgot(email), to: GatewayProcess.password).code
                == "password_unchanged")
        #expect(try await gateway.checkSession(person.accessToken).status == 200)
    }

    @Test(
        "U1: a password that an import set is refused as a new one",
        arguments: [
            ("correct horse", "$2b$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e"),
            ("pa\u{308}sswo\u{308}rd e\u{301}", "$2b$04$abcdefghijklmnopqrstuuv.XF2ISziCQv1iCAGmcPqBmhKgkUr7O"),
        ])
    func imported(password: String, hash: String) async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let file = "\(gateway.deployment.folder)/\(Fresh.text()).jsonl"
        let line = #"{"id":"\#(Fresh.text())","email":"\#(email)","email_verified":true,"password_hash":"\#(hash)"}"#
        try Data((line + "\n").utf8).write(to: URL(filePath: file))
        #expect(try await gateway.deployment.run("accounts", "import", file).exitCode == 0)
        #expect(try await gateway.deployment.run("accounts", "require-reset", email, "--yes").exitCode == 0)
        let asked = try await gateway.forgot(email)
        #expect(try await gateway.reset(asked, to: password).code == "password_unchanged")
        _ = try SignedInAnswer(try await gateway.reset(asked, to: Self.next))
    }

    @Test("U1: the account page reports that the new password is the old one")
    func page() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let browser = try await PageBrowser.signedIn(gateway, email)
        let answer = try await browser.submit(
            "/account/password",
            ["current_password": GatewayProcess.password, "new_password": GatewayProcess.password])
        #expect(answer.status == 400)
        #expect(answer.text.contains("This is your current password."))
        #expect(try await gateway.audit(answer).map(\.reason) == ["password_unchanged"])
    }

    private func change(_ person: SignedInAnswer, from old: String, to new: String) async throws -> TestAnswer {
        try await GatewayProcess.current.post(
            "/v1/password/change", ["current_password": .string(old), "new_password": .string(new)],
            bearer: person.accessToken)
    }
}
