import FoundationEssentials
import Testing

@testable import Cryptography
@testable import Messages
@testable import Outbound

@Suite(.timeLimit(.minutes(10)))
struct SMTPSenderTests {
    typealias Stage = ScriptedSMTPServer.Stage

    static func configuration(port: Int, timeout: Duration = .seconds(60)) throws -> SMTPConfiguration {
        SMTPConfiguration(
            host: "127.0.0.1", port: port, security: .none, from: try MailAddress("gateway@example.com"),
            timeout: timeout,
            helloName: "gateway.example.com")
    }

    static func message(to: String = "ann@example.org", text: String = "Your code is 123456.") throws -> MailMessage {
        MailMessage(
            from: try MailAddress("gateway@example.com", name: "Login"), to: try MailAddress(to), subject: "Your code",
            textBody: text)
    }

    @Test("a mail arrives complete, with the configured envelope and the message")
    func delivery() async throws {
        try await ScriptedSMTPServer.with { server in
            let sender = try SMTPSender(
                configuration: Self.configuration(port: server.port),
                random: RandomBytes { Array(repeating: 0xAB, count: $0) },
                now: { Date(timeIntervalSince1970: 0) })
            try await sender.send(Self.message(text: "one\n.\n..two\n.three"))
            #expect(
                server.commands.prefix(4) == [
                    "EHLO gateway.example.com", "MAIL FROM:<gateway@example.com>", "RCPT TO:<ann@example.org>", "DATA",
                ])
            let lines = try #require(server.messages.first)
            #expect(lines.contains("Date: Thu, 1 Jan 1970 00:00:00 +0000"))
            #expect(lines.contains("Message-ID: <\(String(repeating: "ab", count: 16))@example.com>"))
            #expect(lines.suffix(4) == ["one", "=2E", "=2E.two", "=2Ethree"])
        }
    }

    @Test("several mails arrive exactly once")
    func several() async throws {
        try await ScriptedSMTPServer.with { server in
            let sender = try SMTPSender(configuration: Self.configuration(port: server.port))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<20 {
                    let message = try Self.message(to: "person\(index)@example.org")
                    group.addTask { try await sender.send(message) }
                }
                try await group.waitForAll()
            }
            let recipients = server.messages.compactMap { $0.first { $0.hasPrefix("To: ") } }
            #expect(recipients.count == 20)
            #expect(Set(recipients).count == 20)
        }
    }

    static let refusals: [(Stage, String, DeliveryError)] = [
        (.greeting, "421 busy", .deferred(status: 421)), (.greeting, "554 go away", .notServed(status: 554)),
        (.mail, "451 later", .deferred(status: 451)), (.mail, "550 no", .notServed(status: 550)),
        (.rcpt, "450 later", .deferred(status: 450)), (.rcpt, "550 nobody", .rejected(status: 550)),
        (.rcpt, "550-nobody\r\n550 really", .rejected(status: 550)),
        (.data, "451 later", .deferred(status: 451)), (.data, "554 no", .rejected(status: 554)),
        (.message, "452 full", .deferred(status: 452)), (.message, "554 spam", .rejected(status: 554)),
    ]

    @Test("a refusal at any stage states whether it is permanent", arguments: refusals)
    func refusal(stage: Stage, reply: String, expected: DeliveryError) async throws {
        try await ScriptedSMTPServer.with([stage: .say(reply)]) { server in
            let sender = try SMTPSender(configuration: Self.configuration(port: server.port))
            let message = try Self.message()
            await #expect(throws: expected) { try await sender.send(message) }
        }
    }

    @Test("a refused EHLO and HELO is a refusal")
    func refusedHello() async throws {
        try await ScriptedSMTPServer.with([.ehlo: .say("550 no")]) { server in
            let sender = try SMTPSender(configuration: Self.configuration(port: server.port))
            let message = try Self.message()
            await #expect(throws: DeliveryError.notServed(status: 550)) { try await sender.send(message) }
        }
    }

    @Test(
        "a dropped connection loses the mail; only after the last byte may it have arrived",
        arguments: Stage.allCases)
    func drop(stage: Stage) async throws {
        try await ScriptedSMTPServer.with([stage: .drop]) { server in
            let sender = try SMTPSender(configuration: Self.configuration(port: server.port))
            let message = try Self.message()
            await #expect(throws: DeliveryError.connectionLost(mayHaveBeenDelivered: stage == .message)) {
                try await sender.send(message)
            }
        }
    }

    @Test("a server silent at any stage costs the timeout", arguments: Stage.allCases)
    func silence(stage: Stage) async throws {
        // After the last byte, the timeout must allow a busy machine to send that byte.
        let timeout: Duration = stage == .message ? .seconds(3) : .milliseconds(300)
        try await ScriptedSMTPServer.with([stage: .hang]) { server in
            let sender = try SMTPSender(
                configuration: Self.configuration(port: server.port, timeout: timeout))
            let message = try Self.message()
            let elapsed = await ContinuousClock().measure {
                await #expect(throws: DeliveryError.timedOut(mayHaveBeenDelivered: stage == .message)) {
                    try await sender.send(message)
                }
            }
            // Far below the time without the configured timeout.
            #expect(elapsed < .seconds(50), "\(elapsed)")
        }
    }

    @Test(
        "an answer that is not SMTP is an error or lost, never a success",
        arguments: ["HTTP/1.1 400 Bad Request", "hello"])
    func notSMTP(greeting: String) async throws {
        try await ScriptedSMTPServer.with([.greeting: .say(greeting)]) { server in
            let sender = try SMTPSender(
                configuration: Self.configuration(port: server.port, timeout: .milliseconds(500)))
            let message = try Self.message()
            await #expect(throws: DeliveryError.self) { try await sender.send(message) }
            #expect(server.messages.isEmpty)
        }
    }

    @Test("required STARTTLS: without the offer, only EHLO and QUIT are sent")
    func noSTARTTLS() async throws {
        try await ScriptedSMTPServer.with { server in
            var configuration = try Self.configuration(port: server.port)
            configuration.security = .startTLS
            (configuration.user, configuration.password) = ("gateway", Secret("hush"))
            let sender = try SMTPSender(configuration: configuration)
            let message = try Self.message()
            await #expect(throws: DeliveryError.encryptionUnavailable) { try await sender.send(message) }
            await sender.shutdown()
            #expect(server.commands.allSatisfy { $0.hasPrefix("EHLO") || $0.hasPrefix("QUIT") }, "\(server.commands)")
        }
    }

    @Test("a closed port is unreachable")
    func unreachable() async throws {
        let server = ScriptedSMTPServer()
        let sender = try SMTPSender(configuration: Self.configuration(port: server.port))
        server.stop()
        let message = try Self.message()
        await #expect(throws: DeliveryError.unreachable) { try await sender.send(message) }
    }

    @Test("cancellation and shutdown end a running delivery")
    func endings() async throws {
        try await ScriptedSMTPServer.with([.greeting: .hang]) { server in
            let sender = try SMTPSender(configuration: Self.configuration(port: server.port))
            let message = try Self.message()
            let cancelled = Task { try await sender.send(message) }
            cancelled.cancel()
            await #expect(throws: DeliveryError.cancelled) { try await cancelled.value }
            await sender.shutdown()
            await #expect(throws: DeliveryError.closed) { try await sender.send(message) }
        }
    }

    @Test("an invalid configuration is refused at construction")
    func misconfigured() throws {
        let good = try Self.configuration(port: 25)
        func refusal(_ change: (inout SMTPConfiguration) -> Void) -> DeliveryError? {
            var configuration = good
            change(&configuration)
            do {
                _ = try SMTPSender(configuration: configuration)
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal { _ in } == nil)
        #expect(refusal { $0.host = "mail.example.com" } == nil)
        #expect(refusal { $0.host = "mail.example.com/x" } == .misconfigured("host"))
        #expect(refusal { $0.host = "user@mail.example.com" } == .misconfigured("host"))
        #expect(refusal { $0.host = "" } == .misconfigured("host"))
        #expect(refusal { $0.port = 0 } == .misconfigured("port"))
        #expect(refusal { $0.helloName = "a\r\nMAIL" } == .misconfigured("hello name"))
        #expect(refusal { $0.user = "a" } == .misconfigured("user without password"))
        #expect(
            refusal { ($0.user, $0.password) = ("a", Secret("b")) } == .misconfigured("credentials without encryption"))
        #expect(refusal { ($0.security, $0.user, $0.password) = (.tls, "a\n", Secret("b")) } == .misconfigured("user"))
        #expect(
            refusal { ($0.security, $0.user, $0.password) = (.tls, "a", Secret("b\r")) } == .misconfigured("password"))
        #expect(refusal { ($0.security, $0.user, $0.password) = (.tls, "a", Secret("b")) } == nil)
    }
}
