import CCurl

/// One mail over SMTP, ready for libcurl.
///
/// Everything in it was validated when it was made.
struct MailTransferPlan: TransferPlan {
    enum Encryption: Sendable {
        case none
        /// STARTTLS, and nothing else happens on the connection when the server doesn't offer it.
        case startTLS
        case implicitTLS
    }

    var host: String
    var port: Int
    var encryption: Encryption
    /// What EHLO says; nil for the name of this machine.
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

    /// The relay is the operator's choice, often on the same network.
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
        // Also bounds how long saying QUIT to a silent server can hold up the loop.
        handle.set(CURLOPT_SERVER_RESPONSE_TIMEOUT, max(1, deadline.secondsRoundedUp))
    }
}
