package import Outbound

/// Sends a mail.
package protocol MailSender: Sendable {
    /// Returns when the next server, or the disk, has taken responsibility for the message.
    func send(_ message: MailMessage) async throws(DeliveryError)
}
