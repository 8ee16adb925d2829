import CCurl
package import Cryptography
package import FoundationEssentials

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
            host: configuration.host,
            port: configuration.port,
            encryption: encryption,
            helloName: configuration.helloName,
            credentials: credentials,
            caBundle: configuration.caBundle,
            sender: configuration.from.address,
            recipient: message.to.address,
            message: message.rendered(date: now(), messageID: messageID),
            deadline: configuration.timeout,
            // libcurl counts greeting and login as connecting, and relays may greet slowly.
            connectDeadline: configuration.timeout)
    }

    private var encryption: MailTransferPlan.Encryption {
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

extension TransferOutcome {
    fileprivate func deliveryError() -> DeliveryError? {
        switch end {
        case .finished(CURLE_OK): nil
        case .finished(let code): deliveryError(code)
        case .cancelled: .cancelled
        case .overloaded: .overloaded
        case .closed: .closed
        case .notStarted: .misconfigured("options")
        }
    }

    private func deliveryError(_ code: CURLcode) -> DeliveryError {
        switch code {
        case CURLE_OPERATION_TIMEDOUT: .timedOut(mayHaveBeenDelivered: isUploadTaken)
        case CURLE_COULDNT_RESOLVE_HOST: .unreachable
        case CURLE_COULDNT_CONNECT: isAddressRefused ? .addressRefused : .unreachable
        case CURLE_USE_SSL_FAILED: .encryptionUnavailable
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            .tlsFailed
        default: deliveryError(status: status, code)
        }
    }

    private func deliveryError(status: Int, _ code: CURLcode) -> DeliveryError {
        switch status {
        case 400..<500: .deferred(status: status)
        case _ where code == CURLE_LOGIN_DENIED: .authenticationFailed
        // RFC 4954 §6: the server requires a login, or a stronger one.
        case 530, 534, 535, 538: .notServed(status: status)
        // Refuses us and not the recipient: a blocked account or an unconfirmed sender.
        case 500..<600 where code == CURLE_SEND_ERROR && isSenderRefused: .notServed(status: status)
        // libcurl's code for a refusal of MAIL, RCPT or DATA; a taken upload indicates a refused message.
        case 500..<600 where code == CURLE_SEND_ERROR || isUploadTaken: .rejected(status: status)
        case 500..<600: .notServed(status: status)
        // The last answer was positive or absent, so the connection broke.
        default: .connectionLost(mayHaveBeenDelivered: isUploadTaken)
        }
    }

    /// libcurl has one code for MAIL, RCPT and DATA; only its message distinguishes them ("MAIL failed: 550").
    private var isSenderRefused: Bool { words.hasPrefix("MAIL failed") }
}
