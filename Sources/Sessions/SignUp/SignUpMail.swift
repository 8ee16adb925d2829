import Accounts
import Logging
import Providers

/// The two mails of a sign-up: the code, or word that there is an account already.
///
/// They leave by the same way.
struct SignUpMail: Sendable {
    enum Content: Sendable, Equatable {
        case code(String)
        case accountExists
    }

    let sender: any MailSender
    let from: MailAddress
    let serviceName: String
    let logger: Logger

    func send(_ content: Content, to address: EmailAddress) async throws(Rejection) {
        guard let recipient = try? MailAddress(address.text) else { throw .deliveryUnavailable }
        do {
            try await sender.send(message(content, to: recipient))
        } catch {
            logger.error("a mail could not be sent", metadata: ["error": "\(error)"])
            throw .deliveryUnavailable
        }
    }

    private func message(_ content: Content, to address: MailAddress) -> MailMessage {
        switch content {
        case .code(let code):
            MailMessage(
                from: from, to: address, subject: "\(code) is your code for \(serviceName)",
                textBody: """
                    Your code for \(serviceName) is

                        \(code)

                    Type it where you asked for it. It is good for 24 hours and works once.

                    If you did not ask for it, somebody typed your address by mistake: do nothing, and nothing happens.

                    """)
        case .accountExists:
            MailMessage(
                from: from, to: address, subject: "You already have an account at \(serviceName)",
                textBody: """
                    Somebody, probably you, tried to sign up at \(serviceName) with this address.

                    There is an account with it already: sign in instead.

                    If it was not you: do nothing, and nothing happens.

                    """)
        }
    }
}
