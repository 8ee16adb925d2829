import Cryptography
import JSON
package import Outbound

/// Sends text messages through Twilio or a compatible service.
///
/// The API has no idempotency key: a message is sent twice if the first answer is lost.
package struct TwilioSMSSender: SMSSender {
    private let account: TwilioAccount
    private let transport: any HTTPTransport

    /// The codes for a number that can never receive our messages.
    private static let refusals: Set<Int> = [
        21_211,  // invalid number
        21_214, 21_217, 21_219, 21_408, 21_612,  // not reachable for this account
        21_610,  // recipient opted out (STOP)
        21_614,  // not a mobile number
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
        // A fault of our own account or sender does not refuse the number.
        case 400..<500: return .misconfigured("code \(code ?? response.status)")
        default: return .deferred(status: response.status)
        }
    }
}
