import Foundation
import JSON
import Postgres
import Testing

/// Imported users sign in at the running server.
@Suite("Signing in after an import", .gateway())
struct ImportSignInTests {
    private static let password = "correct horse"

    /// Imports one line through its own file.
    private static func importing(_ line: String, _ gateway: GatewayProcess) async throws -> CommandResult {
        let file = "\(gateway.deployment.folder)/\(Fresh.text()).jsonl"
        try Data((line + "\n").utf8).write(to: URL(filePath: file))
        return try await gateway.deployment.run("accounts", "import", file)
    }

    private static func line(_ email: String, hash: String) -> String {
        #"{"id":"\#(Fresh.text())","email":"\#(email)","email_verified":true,"password_hash":"\#(hash)"}"#
    }

    // passlib, bcrypt and Django made these; ForeignVectors has the commands.
    @Test(
        "an imported password signs in, and its hash is then replaced by our own",
        arguments: [
            "$2b$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e",
            "$6$somesalt$/6/DOZ6XPt8TWos3ywDgUa/X8vByGWTZbxM1kg0wDOnc1co.8iO54MmmQYM15M1SFjcHgitRT279chPGc8rts0",
            "$argon2i$v=19$m=256,t=2,p=2$c29tZXNhbHRzb21lc2FsdA$23nZJWEVcV7e+6c0uk3+c/GoEqwhBxVq5uyCuXLwEJU",
            "pbkdf2_sha256$1000$somesalt$3UXLHR2dsBArfqHwukhrdUO9gJfc1BvmMq0GPd9sP6E=",
        ])
    func signsIn(hash: String) async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let command = try await Self.importing(Self.line(email, hash: hash), gateway)
        #expect(command.exitCode == 0 && command.output.contains("1 accounts imported"), "\(command.errors)")
        let own = try await gateway.passwordSignIn(email, "correct horsf")
        #expect(own.code == "invalid_credentials")
        func stored() async throws -> Int {
            try await gateway.count(
                """
                select count(*) from passwords w join account_emails e using (account_id)
                 where e.address_key = \(email) and w.hash like '$argon2id$v=19$m=7168,%'
                """)
        }
        #expect(try await stored() == 0)
        let first = try SignedInAnswer(try await gateway.passwordSignIn(email.uppercased(), Self.password))
        #expect(!first.isNewAccount && first.emailVerified == true)
        #expect(try await stored() == 1)
        #expect(try SignedInAnswer(try await gateway.passwordSignIn(email, Self.password)).account == first.account)
        #expect(try await gateway.passwordSignIn(email, "correct horsf").code == "invalid_credentials")
    }

    @Test("a password hashed as typed is right as typed, and afterwards in every form")
    func decomposed() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        // bcrypt of "pässwörd é" in NFD.
        let hash = "$2b$04$abcdefghijklmnopqrstuuv.XF2ISziCQv1iCAGmcPqBmhKgkUr7O"
        _ = try await Self.importing(Self.line(email, hash: hash), gateway)
        let (nfc, nfd) = ("p\u{E4}ssw\u{F6}rd \u{E9}", "pa\u{308}sswo\u{308}rd e\u{301}")
        #expect(try await gateway.passwordSignIn(email, nfc).code == "invalid_credentials")
        let first = try SignedInAnswer(try await gateway.passwordSignIn(email, nfd))
        #expect(try SignedInAnswer(try await gateway.passwordSignIn(email, nfc)).account == first.account)
    }

    @Test("an identity that was imported signs in to its account")
    func identity() async throws {
        let gateway = try GatewayProcess.current
        let subject = Fresh.subject("google")
        let identity = #"{"provider":"google","realm":"https://accounts.google.com","subject":"\#(subject)"}"#
        let command = try await Self.importing(
            #"{"display_name":"Ann","identities":[\#(identity)]}"#, gateway)
        #expect(command.exitCode == 0, "\(command.errors)")
        let session = try await gateway.session("google", ["subject": .string(subject)])
        #expect(!session.isNewAccount && session.displayName == "Ann")
    }

    @Test("a disabled account stays shut, with the words of a wrong password")
    func disabled() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let hash = "$2b$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e"
        _ = try await Self.importing(
            Self.line(email, hash: hash).replacing("{", with: #"{"disabled":true,"#, maxReplacements: 1), gateway)
        #expect(try await gateway.passwordSignIn(email, Self.password).code == "invalid_credentials")
    }
}
