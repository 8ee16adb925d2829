import CCurl

/// One mail over SMTP, ready for libcurl.
///
/// All its parts were validated on creation.
struct MailTransferPlan: TransferPlan {
    enum Encryption: Sendable {
        case none
        /// STARTTLS; without it the connection ends.
        case startTLS
        case implicitTLS
    }

    var host: String
    var port: Int
    var encryption: Encryption
    /// The name in EHLO; nil for the name of this machine.
    var helloName: String?
    var credentials: (user: String, password: String)?
    var caBundle: String?
    /// Plain addresses, without angle brackets.
    var sender: String
    var recipient: String
    var message: [UInt8]
    var deadline: Duration
    var connectDeadline: Duration

    var limits: TransferLimits {
        TransferLimits(deadline: deadline, connectDeadline: connectDeadline, maximumBytes: 64 * 1024)
    }

    var upload: [UInt8]? { message }

    var hasHeaderFields: Bool { false }

    var isRepeatable: Bool { false }

    /// The operator chooses the relay, often on the same network.
    var addressGuard: AddressGuard { AddressGuard(allowsLocal: true) }

    func apply(to handle: EasyHandle) {
        let scheme = encryption == .implicitTLS ? "smtps" : "smtp"
        handle.set(CURLOPT_URL, "\(scheme)://\(host):\(port)/\(helloName ?? "")")
        handle.set(CURLOPT_PROTOCOLS_STR, scheme)
        handle.set(CURLOPT_USE_SSL, Int((encryption == .none ? CURLUSESSL_NONE : CURLUSESSL_ALL).rawValue))
        if let caBundle { handle.trustOnly(caBundle) }
        if let credentials {
            handle.set(CURLOPT_USERNAME, credentials.user)
            handle.set(CURLOPT_PASSWORD, credentials.password)
        }
        handle.set(CURLOPT_UPLOAD, 1)
        handle.set(CURLOPT_INFILESIZE, message.count)
        handle.set(CURLOPT_MAIL_FROM, "<\(sender)>")
        handle.set(CURLOPT_MAIL_RCPT, ["<\(recipient)>"])
        // Also bounds the time for which QUIT to a silent server can block the loop.
        handle.set(CURLOPT_SERVER_RESPONSE_TIMEOUT, max(1, deadline.secondsRoundedUp))
    }
}
