package import FoundationEssentials

/// A mail as data: who, to whom, what.
package struct MailMessage: Sendable, Equatable {
    package var from: MailAddress
    package var to: MailAddress
    /// Any text; line breaks and control characters become spaces.
    package var subject: String
    package var textBody: String
    /// The same content for clients that show HTML.
    package var htmlBody: String?
    /// The same at every try, so that a mailbox can tell a second copy; nil for a new one at each.
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
    /// - Parameter messageID: without angle brackets; what can't stand there is left out.
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
            // "=_" can't occur in quoted-printable text (RFC 2045 §6.7), so no body can contain the boundary.
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
