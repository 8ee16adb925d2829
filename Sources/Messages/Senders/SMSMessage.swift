package import Cryptography
package import Outbound

/// A text message as data.
package struct SMSMessage: Sendable, Equatable {
    /// Stable across retries, so that the service can recognise a duplicate.
    package var id: String
    /// In the international form, with the `+`.
    package var to: String
    package var text: String

    package init(id: String, to: String, text: String) {
        self.id = id
        self.to = to
        self.text = text
    }
}

/// Sends a text message.
package protocol SMSSender: Sendable {
    /// Returns the service's id of the message, if any, once the service has taken responsibility.
    func send(_ message: SMSMessage) async throws(DeliveryError) -> String?
}

/// The account at a Twilio-compatible service.
package struct TwilioAccount: Sendable {
    package enum Sender: Sendable, Equatable {
        case number(String)
        case messagingService(String)
    }

    package var base: String
    package var sid: String
    package var token: Secret
    package var sender: Sender
    /// The address for delivery reports; nil where the service cannot call us.
    package var statusCallback: String?

    package init(base: String, sid: String, token: Secret, sender: Sender, statusCallback: String? = nil) {
        (self.base, self.sid, self.token, self.sender) = (base, sid, token, sender)
        self.statusCallback = statusCallback
    }
}
