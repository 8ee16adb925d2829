import Cryptography
import Foundation
import JSON
import Messages
import Outbound
import Synchronization
import Testing

/// A transport with scripted answers that records its requests.
private final class Recorder: HTTPTransport {
    private let answer: Result<HTTPResponse, TransferError>
    private let log = Mutex<[HTTPRequest]>([])

    init(_ status: Int, _ body: String = "") {
        answer = .success(HTTPResponse(status: status, body: Array(body.utf8)))
    }

    init(failing error: TransferError) { answer = .failure(error) }

    var requests: [HTTPRequest] { log.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        log.withLock { $0.append(request) }
        return try answer.get()
    }
}

extension HTTPRequest {
    fileprivate func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

@Suite("Text messages")
struct SMSSenderTests {
    private static let message = SMSMessage(
        id: "0190-7c", to: "+491701234567", text: "042137 ist Ihr \"Code\" für Enten\n@ducks.org #042137")

    private static func webhook(_ recorder: Recorder) -> WebhookSMSSender {
        WebhookSMSSender(
            url: "https://sms.ducks.org/send", secret: Secret("0123456789abcdef0123456789abcdef"), transport: recorder,
            now: { Date(timeIntervalSince1970: 1_800_000_000.9) })
    }

    private static func twilio(
        _ recorder: Recorder, _ sender: TwilioAccount.Sender = .number("+15005550006")
    ) -> TwilioSMSSender {
        TwilioSMSSender(
            TwilioAccount(base: "https://api.twilio.com", sid: "AC123", token: Secret("t0ken"), sender: sender),
            transport: recorder)
    }

    @Test("the webhook gets one JSON object, a constant key, and a signature over time and body")
    func webhook() async throws {
        let recorder = Recorder(202, #"{"id": "m-1"}"#)
        #expect(try await Self.webhook(recorder).send(Self.message) == "m-1")
        let request = try #require(recorder.requests.first)
        #expect(request.method == .post)
        #expect(request.url == "https://sms.ducks.org/send")
        #expect(request.header("Content-Type") == "application/json")
        #expect(request.header("Idempotency-Key") == "0190-7c")
        let body = try #require(request.body)
        #expect(
            try JSON(parsing: body) == ["id": "0190-7c", "to": "+491701234567", "text": .string(Self.message.text)])
        // HMAC-SHA-256 by its definition (RFC 2104), for a key shorter than a block.
        let key = Array("0123456789abcdef0123456789abcdef".utf8) + Array(repeating: 0, count: 32)
        let inner = SHA256.hash(key.map { $0 ^ 0x36 } + Array("1800000000.".utf8) + body)
        let code = SHA256.hash(key.map { $0 ^ 0x5C } + inner)
        #expect(request.header("Gateway-Signature") == "t=1800000000,v1=\(Hex.encode(code))")
    }

    static let webhookAnswers: [(Int, DeliveryError)] = [
        (400, .rejected(status: 400)), (404, .rejected(status: 404)), (422, .rejected(status: 422)),
        (401, .authenticationFailed), (408, .deferred(status: 408)), (425, .deferred(status: 425)),
        (429, .deferred(status: 429)), (500, .deferred(status: 500)), (503, .deferred(status: 503)),
        (102, .deferred(status: 102)),
    ]

    @Test("the webhook's status separates permanent from temporary failures", arguments: webhookAnswers)
    func webhookRefuses(status: Int, error: DeliveryError) async throws {
        await #expect(throws: error) { try await Self.webhook(Recorder(status)).send(Self.message) }
    }

    @Test("the webhook's answer may be empty", arguments: ["", "ok", "[]", "{}", #"{"id": 7}"#])
    func webhookSaysNothing(body: String) async throws {
        #expect(try await Self.webhook(Recorder(200, body)).send(Self.message) == nil)
    }

    static let failures: [(TransferError, DeliveryError)] = [
        (.timedOut, .timedOut(mayHaveBeenDelivered: true)), (.connectTimedOut, .timedOut(mayHaveBeenDelivered: false)),
        (.connectFailed, .unreachable), (.resolveFailed, .unreachable),
        (.connectionLost, .connectionLost(mayHaveBeenDelivered: true)), (.tlsFailed, .tlsFailed),
        (.addressRefused, .addressRefused), (.redirectRefused, .malformedAnswer), (.responseTooLarge, .malformedAnswer),
        (.malformedResponse, .malformedAnswer), (.invalidRequest("url"), .misconfigured("url")), (.closed, .closed),
        (.circuitOpen(retryAfterSeconds: 3), .overloaded), (.overloaded, .overloaded), (.cancelled, .cancelled),
    ]

    @Test("each transport failure has its own error", arguments: failures)
    func failed(transfer: TransferError, error: DeliveryError) async throws {
        await #expect(throws: error) { try await Self.webhook(Recorder(failing: transfer)).send(Self.message) }
        await #expect(throws: error) { try await Self.twilio(Recorder(failing: transfer)).send(Self.message) }
    }

    @Test("Twilio gets a form with the account's name and token")
    func twilio() async throws {
        let recorder = Recorder(201, #"{"sid": "SM1", "status": "queued"}"#)
        #expect(try await Self.twilio(recorder).send(Self.message) == "SM1")
        let request = try #require(recorder.requests.first)
        #expect(request.url == "https://api.twilio.com/2010-04-01/Accounts/AC123/Messages.json")
        #expect(request.header("Authorization") == "Basic QUMxMjM6dDBrZW4=")
        #expect(
            String(decoding: request.body ?? [], as: UTF8.self)
                == "To=%2B491701234567&From=%2B15005550006&Body=042137%20ist%20Ihr%20%22Code%22%20f%C3%BCr%20Enten%0A"
                + "%40ducks.org%20%23042137")
    }

    @Test("the request to Twilio contains the status address")
    func statusCallback() async throws {
        let recorder = Recorder(201, "{}")
        let account = TwilioAccount(
            base: "https://api.twilio.com", sid: "AC123", token: Secret("t0ken"), sender: .number("+15005550006"),
            statusCallback: "https://ducks.org/v1/events/twilio")
        _ = try await TwilioSMSSender(account, transport: recorder).send(Self.message)
        let body = String(decoding: try #require(recorder.requests.first?.body), as: UTF8.self)
        #expect(body.hasSuffix("&StatusCallback=https%3A%2F%2Fducks.org%2Fv1%2Fevents%2Ftwilio"))
    }

    @Test("a messaging service replaces the sender's number")
    func messagingService() async throws {
        let recorder = Recorder(201, "{}")
        #expect(try await Self.twilio(recorder, .messagingService("MG9")).send(Self.message) == nil)
        let body = String(decoding: try #require(recorder.requests.first?.body), as: UTF8.self)
        #expect(body.hasPrefix("To=%2B491701234567&MessagingServiceSid=MG9&Body="))
    }

    static let twilioAnswers: [(Int, String, DeliveryError)] = [
        (400, #"{"code": 21211, "message": "Invalid 'To' Phone Number"}"#, .rejected(status: 21_211)),
        (400, #"{"code": 21610}"#, .rejected(status: 21_610)), (400, #"{"code": 21614}"#, .rejected(status: 21_614)),
        (403, #"{"code": 21408}"#, .rejected(status: 21_408)), (400, #"{"code": 21612}"#, .rejected(status: 21_612)),
        (400, #"{"code": 21606}"#, .misconfigured("code 21606")),
        (404, #"{"code": 20404}"#, .misconfigured("code 20404")),
        (400, "no JSON", .misconfigured("code 400")), (401, #"{"code": 20003}"#, .authenticationFailed),
        (403, "", .authenticationFailed), (429, #"{"code": 20429}"#, .deferred(status: 429)),
        (500, "", .deferred(status: 500)), (503, #"{"code": 20503}"#, .deferred(status: 503)),
    ]

    @Test("Twilio's error number separates recipient errors from configuration errors", arguments: twilioAnswers)
    func twilioRefuses(status: Int, body: String, error: DeliveryError) async throws {
        await #expect(throws: error) { try await Self.twilio(Recorder(status, body)).send(Self.message) }
    }

    @Test("in development, a text message is a private file in the mail directory, and is announced")
    func file() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "sms-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let announced = Mutex("")
        let sender = FileSender(directory: directory) { text in announced.withLock { $0 = text } }
        #expect(try await sender.send(Self.message) == nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        #expect(names.count == 1 && names[0].hasSuffix(".sms.txt"))
        let path = "\(directory)/\(names[0])"
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "To: +491701234567\n\n\(Self.message.text)\n")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(
            announced.withLock { $0 }
                == "text message to +491701234567:\n  042137 ist Ihr \"Code\" für Enten\n  @ducks.org #042137\n")
    }
}
