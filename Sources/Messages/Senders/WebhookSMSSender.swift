package import Cryptography
package import FoundationEssentials
import JSON
package import Outbound

/// Posts each text message, signed, to an address that the operator serves.
///
/// The signature is that of ``WebhookSignature``. 2xx accepts the message; 401, 408, 425, 429 and 5xx request a retry;
/// any other 4xx refuses it permanently.
package struct WebhookSMSSender: SMSSender {
    private let transport: any HTTPTransport
    private let url: String
    private let secret: Secret
    private let now: @Sendable () -> Date

    package init(
        url: String, secret: Secret, transport: any HTTPTransport, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.url, self.secret, self.transport, self.now) = (url, secret, transport, now)
    }

    package func send(_ message: SMSMessage) async throws(DeliveryError) -> String? {
        let content: JSON = ["id": .string(message.id), "to": .string(message.to), "text": .string(message.text)]
        let body = Array(content.text.utf8)
        let request = HTTPRequest(
            method: .post, url: url,
            headers: [
                ("Content-Type", "application/json"), ("Idempotency-Key", message.id),
                WebhookSignature.header(of: body, secret: secret, at: now()),
            ],
            body: body, deadline: .seconds(10), maximumBytes: 64 * 1024)
        let response = try await transport.deliver(request)
        switch response.status {
        case 200..<300: return response.member("id")
        case 401: throw .authenticationFailed
        case 408, 425, 429: throw .deferred(status: response.status)
        case 400..<500: throw .rejected(status: response.status)
        default: throw .deferred(status: response.status)
        }
    }
}

extension HTTPTransport {
    /// Sends a request and translates its failures into delivery errors.
    func deliver(_ request: HTTPRequest) async throws(DeliveryError) -> HTTPResponse {
        do {
            return try await send(request)
        } catch {
            throw DeliveryError(error)
        }
    }
}

extension HTTPResponse {
    /// A text of the JSON answer; nil for anything else.
    func member(_ name: String) -> String? {
        guard let text = (try? JSON(parsing: body))?[name]?.string, text.utf8.count <= 200 else { return nil }
        return text
    }
}

extension DeliveryError {
    init(_ error: TransferError) {
        switch error {
        case .timedOut: self = .timedOut(mayHaveBeenDelivered: true)
        case .connectTimedOut: self = .timedOut(mayHaveBeenDelivered: false)
        case .connectFailed, .resolveFailed: self = .unreachable
        case .connectionLost: self = .connectionLost(mayHaveBeenDelivered: true)
        case .tlsFailed: self = .tlsFailed
        case .addressRefused: self = .addressRefused
        case .redirectRefused, .responseTooLarge, .malformedResponse: self = .malformedAnswer
        case .invalidRequest(let part): self = .misconfigured(part)
        case .cancelled: self = .cancelled
        case .overloaded, .circuitOpen: self = .overloaded
        case .closed: self = .closed
        }
    }
}
