package import FoundationEssentials
package import Outbound

/// Stores each mail and text message as a file instead of sending it, for development.
///
/// It also announces each message in a few plain lines.
package struct FileSender: MailSender, SMSSender {
    private let folder: DeliveryFolder
    private let announce: @Sendable (String) -> Void

    /// - Parameters:
    ///   - directory: created (`0700`) if it does not exist.
    ///   - announce: receives a rendering without control characters, for a terminal.
    package init(
        directory: String,
        now: @escaping @Sendable () -> Date = { Date() },
        announce: @escaping @Sendable (String) -> Void
    ) {
        folder = DeliveryFolder(path: directory, now: now)
        self.announce = announce
    }

    /// - Throws: `.notStored` when the file cannot be written.
    package func send(_ message: MailMessage) async throws(DeliveryError) {
        try folder.store(ending: "eml") { date, name in
            message.rendered(date: date, messageID: message.messageID ?? "\(name)@\(message.from.domain)")
        }
        announce(
            "mail to \(message.to.address): \(MailHeader.singleLine(message.subject))\n"
                + DeliveryFolder.indented(message.textBody) + "\n")
    }

    /// - Throws: `.notStored` when the file cannot be written.
    package func send(_ message: SMSMessage) async throws(DeliveryError) -> String? {
        try folder.store(ending: "sms.txt") { _, _ in Array("To: \(message.to)\n\n\(message.text)\n".utf8) }
        announce("text message to \(message.to):\n" + DeliveryFolder.indented(message.text) + "\n")
        return nil
    }
}
