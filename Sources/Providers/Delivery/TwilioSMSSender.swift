import Cryptography
import JSON

/// Sends text messages by Twilio, or a service that answers as it does.
///
/// Its interface has no idempotency key: a message that was taken without our hearing of it is sent a second time.
package struct TwilioSMSSender: SMSSender {
    private let account: TwilioAccount
    private let transport: any HTTPTransport

    /// The codes that say that this number gets nothing, whenever it is tried.
    private static let refusals: Set<Int> = [
        21_211,  // no valid number
        21_214, 21_217, 21_219, 21_408, 21_612,  // not reachable for this account
        21_610,  // its owner said STOP
        21_614,  // no mobile number
    ]

    package init(_ account: TwilioAccount, transport: any HTTPTransport) {
        (self.account, self.transport) = (account, transport)
    }

    package func send(_ message: SMSMessage) async throws(DeliveryError) -> String? {
        var request = HTTPRequest.form(
            "\(account.base)/2010-04-01/Accounts/\(account.sid)/Messages.json",
            [("To", message.to), sender, ("Body", message.text)] + callback,
            headers: [("Authorization", authorization)])
        request.deadline = .seconds(10)
        let response = try await transport.deliver(request)
        guard !(200..<300).contains(response.status) else { return response.member("sid") }
        throw Self.refusal(response)
    }

    private var sender: (String, String) {
        switch account.sender {
        case .number(let number): ("From", number)
        case .messagingService(let sid): ("MessagingServiceSid", sid)
        }
    }

    private var callback: [(String, String)] { account.statusCallback.map { [("StatusCallback", $0)] } ?? [] }

    private var authorization: String {
        "Basic " + Base64Text.encode(Array("\(account.sid):".utf8) + account.token.revealed)
    }

    private static func refusal(_ response: HTTPResponse) -> DeliveryError {
        let code = (try? JSON(parsing: response.body))?["code"]?.integer
        if let code, refusals.contains(code) { return .rejected(status: code) }
        switch response.status {
        case 401, 403: return .authenticationFailed
        case 408, 425, 429: return .deferred(status: response.status)
        // What is wrong with our own account or sender is no refusal of the number.
        case 400..<500: return .misconfigured("code \(code ?? response.status)")
        default: return .deferred(status: response.status)
        }
    }
}
