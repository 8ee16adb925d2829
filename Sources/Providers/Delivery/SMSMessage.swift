package import Cryptography

/// A text message as data.
package struct SMSMessage: Sendable, Equatable {
    /// The same at every try: whoever takes it can tell a second one from a second message.
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

/// Hands a text message to whatever delivers it.
package protocol SMSSender: Sendable {
    /// Returns when the other side has taken responsibility: with the name that it gave the message, if any.
    func send(_ message: SMSMessage) async throws(DeliveryError) -> String?
}

/// What a Twilio-compatible service is asked with.
package struct TwilioAccount: Sendable {
    package enum Sender: Sendable, Equatable {
        case number(String)
        case messagingService(String)
    }

    package var base: String
    package var sid: String
    package var token: Secret
    package var sender: Sender
    /// Where it reports what became of a message; nil where it can't call us.
    package var statusCallback: String?

    package init(base: String, sid: String, token: Secret, sender: Sender, statusCallback: String? = nil) {
        (self.base, self.sid, self.token, self.sender) = (base, sid, token, sender)
        self.statusCallback = statusCallback
    }
}
