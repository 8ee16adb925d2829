import Foundation
import JSON
import Outbound

/// Sends mails.
struct MailCourier: Courier {
    let sender: any MailSender
    let from: MailAddress
    let writer: MessageWriter

    /// The id is the Message-ID, the same at every attempt.
    func carry(_ message: ClaimedMessage) async throws(DeliveryError) -> String? {
        let letter = writer.letter(message.content, message.language, of: message.client)
        let messageID = "\(message.id.text)@\(from.domain)"
        try await sender.send(
            MailMessage(
                from: try letter.sender(from), to: try MailAddress(message.destination.text), subject: letter.subject,
                textBody: letter.textBody, htmlBody: letter.htmlBody, messageID: messageID))
        return messageID
    }
}

/// Sends text messages.
struct SMSCourier: Courier {
    let sender: any SMSSender
    let writer: MessageWriter

    func carry(_ message: ClaimedMessage) async throws(DeliveryError) -> String? {
        try await sender.send(
            SMSMessage(
                id: message.id.text, to: message.destination.text,
                text: writer.sms(message.content, message.language, of: message.client)))
    }
}

extension Letter {
    /// The sender's address, with the name of the app.
    fileprivate func sender(_ from: MailAddress) throws(DeliveryError) -> MailAddress {
        try MailAddress(from.address, name: brand.serviceName)
    }
}
