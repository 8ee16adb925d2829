package import FoundationEssentials
import Outbound

/// A mail as data: sender, recipient and content.
package struct MailMessage: Sendable, Equatable {
    package var from: MailAddress
    package var to: MailAddress
    /// Any text; line breaks and control characters become spaces.
    package var subject: String
    package var textBody: String
    /// The same content for clients that show HTML.
    package var htmlBody: String?
    /// Stable across retries, so that a mailbox recognises a duplicate; nil for a new id each time.
    package var messageID: String?

    package init(
        from: MailAddress, to: MailAddress, subject: String, textBody: String, htmlBody: String? = nil,
        messageID: String? = nil
    ) {
        self.from = from
        self.to = to
        self.subject = subject
        self.textBody = textBody
        self.htmlBody = htmlBody
        self.messageID = messageID
    }

    /// The message on the wire (RFC 5322, MIME): ASCII only, lines of at most 78 octets ended by CR LF.
    ///
    /// - Parameter messageID: without angle brackets; disallowed characters are left out.
    package func rendered(date: Date, messageID: String) -> [UInt8] {
        var lines = [
            "Date: \(MailDate.text(date))",
            MailHeader.address("From", from),
            MailHeader.address("To", to),
            MailHeader.text("Subject", subject),
            "Message-ID: <\(MailHeader.messageID(messageID))>",
            "MIME-Version: 1.0",
            "Auto-Submitted: auto-generated",
        ]
        if let htmlBody {
            // "=_" cannot occur in quoted-printable text (RFC 2045 §6.7), so no body can contain the boundary.
            let boundary = "=_alternative"
            lines += ["Content-Type: multipart/alternative; boundary=\"\(boundary)\"", ""]
            lines += ["--\(boundary)"] + MailMessage.part("plain", textBody)
            lines += ["--\(boundary)"] + MailMessage.part("html", htmlBody)
            lines += ["--\(boundary)--"]
        } else {
            lines += MailMessage.part("plain", textBody)
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    private static func part(_ subtype: String, _ text: String) -> [String] {
        [
            "Content-Type: text/\(subtype); charset=utf-8",
            "Content-Transfer-Encoding: quoted-printable",
            "",
        ] + QuotedPrintable.lines(text)
    }
}
