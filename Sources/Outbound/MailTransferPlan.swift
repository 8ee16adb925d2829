import CCurl

/// A mail server that takes mails over SMTP.
package struct MailRelay: Sendable {
    package enum Encryption: Sendable {
        case none
        /// STARTTLS; without it the connection ends.
        case startTLS
        case implicitTLS
    }

    package var host: String
    package var port: Int
    package var encryption: Encryption
    /// The limit for one whole mail.
    package var timeout: Duration
    /// The name in EHLO; nil for the name of this machine.
    package var helloName: String?
    package var credentials: (user: String, password: String)?
    /// A PEM file of certificate authorities to trust instead of the system's.
    package var caBundle: String?

    package init(host: String, port: Int, encryption: Encryption, timeout: Duration) {
        (self.host, self.port, self.encryption, self.timeout) = (host, port, encryption, timeout)
    }
}

/// One mail over SMTP, ready for libcurl.
///
/// All its parts were validated on creation.
package struct MailTransferPlan: TransferPlan {
    let relay: MailRelay
    let sender: String
    let recipient: String
    let message: [UInt8]

    /// - Parameters:
    ///   - sender: a plain address without angle brackets, as is `recipient`.
    ///   - message: with headers (RFC 5322).
    package init(relay: MailRelay, sender: String, recipient: String, message: [UInt8]) {
        (self.relay, self.sender, self.recipient, self.message) = (relay, sender, recipient, message)
    }

    package var limits: TransferLimits {
        // libcurl counts greeting and login as connecting, and relays may greet slowly.
        TransferLimits(deadline: relay.timeout, connectDeadline: relay.timeout, maximumBytes: 64 * 1024)
    }

    package var upload: [UInt8]? { message }

    package var hasHeaderFields: Bool { false }

    package var isRepeatable: Bool { false }

    /// The operator chooses the relay, often on the same network.
    package var addressGuard: AddressGuard { AddressGuard(allowsLocal: true) }

    package func apply(to handle: EasyHandle) {
        let scheme = relay.encryption == .implicitTLS ? "smtps" : "smtp"
        handle.set(CURLOPT_URL, "\(scheme)://\(relay.host):\(relay.port)/\(relay.helloName ?? "")")
        handle.set(CURLOPT_PROTOCOLS_STR, scheme)
        handle.set(CURLOPT_USE_SSL, Int((relay.encryption == .none ? CURLUSESSL_NONE : CURLUSESSL_ALL).rawValue))
        if let caBundle = relay.caBundle { handle.trustOnly(caBundle) }
        if let credentials = relay.credentials {
            handle.set(CURLOPT_USERNAME, credentials.user)
            handle.set(CURLOPT_PASSWORD, credentials.password)
        }
        handle.set(CURLOPT_UPLOAD, 1)
        handle.set(CURLOPT_INFILESIZE, message.count)
        handle.set(CURLOPT_MAIL_FROM, "<\(sender)>")
        handle.set(CURLOPT_MAIL_RCPT, ["<\(recipient)>"])
        // Also bounds the time for which QUIT to a silent server can block the loop.
        handle.set(CURLOPT_SERVER_RESPONSE_TIMEOUT, max(1, relay.timeout.secondsRoundedUp))
    }
}
