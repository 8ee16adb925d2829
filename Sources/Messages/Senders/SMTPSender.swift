package import Cryptography
package import FoundationEssentials
package import Outbound

/// Sends mail through a relay.
///
/// It has a loop of its own. Ending an SMTP conversation waits for the server's last reply, which must not delay
/// sign-ins.
package struct SMTPSender: MailSender {
    private let configuration: SMTPConfiguration
    private let loop: LoopOwner
    private let random: RandomBytes
    private let now: @Sendable () -> Date

    /// - Throws: `.misconfigured` naming the faulty part.
    package init(
        configuration: SMTPConfiguration,
        random: RandomBytes = .system,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws(DeliveryError) {
        self.configuration = try configuration.validated()
        self.random = random
        self.now = now
        loop = LoopOwner(TransferLoop(name: "outbound-mail", maximumInFlight: configuration.maximumInFlight))
    }

    package func send(_ message: MailMessage) async throws(DeliveryError) {
        let outcome = await loop.loop.run(plan(for: message))
        if let error = outcome.deliveryError() { throw error }
    }

    /// Ends pending mails as ``DeliveryError/closed`` and waits for the thread.
    package func shutdown() async {
        await loop.loop.shutdown()
    }

    private func plan(for message: MailMessage) -> MailTransferPlan {
        let messageID = message.messageID ?? "\(Hex.encode(random(16)))@\(configuration.from.domain)"
        return MailTransferPlan(
            relay: relay, sender: configuration.from.address, recipient: message.to.address,
            message: message.rendered(date: now(), messageID: messageID))
    }

    private var relay: MailRelay {
        var relay = MailRelay(
            host: configuration.host, port: configuration.port, encryption: encryption, timeout: configuration.timeout)
        (relay.helloName, relay.credentials, relay.caBundle) = (
            configuration.helloName, credentials, configuration.caBundle
        )
        return relay
    }

    private var encryption: MailRelay.Encryption {
        switch configuration.security {
        case .none: .none
        case .startTLS: .startTLS
        case .tls: .implicitTLS
        }
    }

    private var credentials: (user: String, password: String)? {
        guard let user = configuration.user, let password = configuration.password else { return nil }
        return (user, password.revealedText)
    }
}

/// Stops the loop when the last copy of a sender is released.
private final class LoopOwner: Sendable {
    let loop: TransferLoop

    init(_ loop: TransferLoop) {
        self.loop = loop
    }

    deinit {
        loop.stop()
    }
}
