import Testing

@testable import Cryptography
@testable import Messages
@testable import Outbound

@Suite(.timeLimit(.minutes(10)))
struct SMTPSenderTLSTests {
    func sender(
        _ security: SMTPConfiguration.Security, port: Int, caBundle: String?, password: String? = "hush é:"
    ) throws -> SMTPSender {
        try SMTPSender(
            configuration: SMTPConfiguration(
                host: "127.0.0.1", port: port, security: security, user: password.map { _ in "gateway" },
                password: password.map { Secret($0) }, from: try MailAddress("gateway@example.com"),
                timeout: .seconds(60), caBundle: caBundle)
        )
    }

    static let user = ["--user", "gateway:hush é:"]

    @Test(
        "a mail goes over TLS with a verified certificate and a login",
        arguments: [
            (SMTPConfiguration.Security.startTLS, "starttls", "PLAIN LOGIN"), (.tls, "smtps", "PLAIN LOGIN"),
            (.startTLS, "starttls", "LOGIN"), (.tls, "smtps", "PLAIN"),
        ])
    func delivery(security: SMTPConfiguration.Security, mode: String, mechanism: String) async throws {
        let certificate = try await TestCertificate.make()
        let arguments = Self.user + ["--mechanism", mechanism]
        try await TLSServer.with(mode, certificate: certificate, arguments: arguments) { server in
            let sender = try sender(security, port: server.port, caBundle: certificate.path)
            try await sender.send(SMTPSenderTests.message())
            await sender.shutdown()
            let events = try await server.finish()
            let mail = try #require(events.first { $0.event == "mail" })
            #expect(mail.user == "gateway")
            #expect(mail.encrypted == true)
            #expect(mail.sender == "MAIL FROM:<gateway@example.com>")
            #expect(mail.recipient == "RCPT TO:<ann@example.org>")
            #expect(mail.lines?.last == "Your code is 123456.")
            let inTheClear = events.filter { $0.event == "command" && $0.encrypted == false }.compactMap(\.verb)
            #expect(inTheClear.allSatisfy { ["EHLO", "STARTTLS"].contains($0) }, "\(inTheClear)")
        }
    }

    @Test(
        "a server with an untrusted certificate or another name gets neither login nor mail",
        arguments: ["starttls", "smtps"])
    func badCertificate(mode: String) async throws {
        let (unknown, wrongName) = (
            try await TestCertificate.make(), try await TestCertificate.make(names: "DNS:other.example")
        )
        for (certificate, bundle) in [(unknown, nil), (wrongName, wrongName.path)] {
            try await TLSServer.with(mode, certificate: certificate, arguments: Self.user) { server in
                let sender = try sender(mode == "smtps" ? .tls : .startTLS, port: server.port, caBundle: bundle)
                let message = try SMTPSenderTests.message()
                await #expect(throws: DeliveryError.tlsFailed) { try await sender.send(message) }
                let verbs = try await server.finish().compactMap(\.verb)
                #expect(verbs.allSatisfy { ["EHLO", "STARTTLS"].contains($0) }, "\(verbs)")
            }
        }
    }

    @Test("a wrong password differs from a refused mail")
    func wrongPassword() async throws {
        let certificate = try await TestCertificate.make()
        try await TLSServer.with("starttls", certificate: certificate, arguments: Self.user) { server in
            let sender = try sender(.startTLS, port: server.port, caBundle: certificate.path, password: "wrong")
            let message = try SMTPSenderTests.message()
            await #expect(throws: DeliveryError.authenticationFailed) { try await sender.send(message) }
        }
    }

    @Test("a server that requires a login refuses a mail without one")
    func noLogin() async throws {
        let certificate = try await TestCertificate.make()
        try await TLSServer.with("smtps", certificate: certificate, arguments: Self.user) { server in
            let sender = try sender(.tls, port: server.port, caBundle: certificate.path, password: nil)
            let message = try SMTPSenderTests.message()
            await #expect(throws: DeliveryError.notServed(status: 530)) { try await sender.send(message) }
        }
    }
}
