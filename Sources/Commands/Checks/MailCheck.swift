import Messages
import Outbound

/// Whether the mail server accepts a mail from this gateway.
enum MailCheck {
    /// - Parameter recipient: the address of the test mail; nil sends none.
    static func check(_ settings: DeliverySettings, to recipient: MailAddress?) -> DeploymentCheck {
        DeploymentCheck("mail") {
            guard let recipient else { return .skipped("no test mail: name an address with --mail-to") }
            let message = MailMessage(
                from: settings.from, to: recipient, subject: "\(settings.serviceName): test mail",
                textBody: """
                    This mail shows that the login gateway at \(settings.publicURL) can send mail.

                    Nothing is left to do.
                    """)
            do throws(DeliveryError) {
                try await settings.mail.send(message)
                return .passed("\(receiver(settings)) accepted a test mail to \(recipient.address)")
            } catch {
                return .failed(fault(error), remedy: remedy(for: error))
            }
        }
    }

    private static func receiver(_ settings: DeliverySettings) -> String {
        settings.mail is FileSender ? "the folder MAIL_DIRECTORY" : "the mail server"
    }

    private static func fault(_ error: DeliveryError) -> String {
        guard case .notStored(let folder) = error else { return "the mail server refused the test mail: \(error.code)" }
        return "the test mail could not be written into \(folder)"
    }

    private static func remedy(for error: DeliveryError) -> String {
        switch error {
        case .authenticationFailed: "Correct SMTP_USER and SMTP_PASSWORD."
        case .encryptionUnavailable: "The server offers no STARTTLS: set SMTP_SECURITY=tls, or use another port."
        case .tlsFailed: "The certificate is not valid for SMTP_HOST. For a private authority, set SMTP_CA_FILE."
        case .unreachable, .timedOut, .connectionLost:
            "Check SMTP_HOST and SMTP_PORT, and whether the firewall lets this machine out."
        case .rejected, .deferred: "Check that the server may send from MAIL_FROM, and the recipient's address."
        case .notStored: "Let the gateway's user write there, or set MAIL_DIRECTORY to another folder."
        case .notServed: "The server does not serve this machine: check its relay rules."
        default: "See docs/delivery.md."
        }
    }
}
