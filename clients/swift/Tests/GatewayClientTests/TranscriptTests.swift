import Foundation
import Testing

@testable import GatewayClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Replays the conversations of `Tests/Transcripts`, which every client library has to make.
@Suite("Transcripts")
struct TranscriptTests {
    static let files = (try? Repository.files(in: "Tests/Transcripts", ending: "json")) ?? []

    @Test("There are transcripts")
    func exist() { #expect(Self.files.count >= 15) }

    @Test("The library makes exactly these requests and comes to exactly these results", arguments: files)
    func replay(_ file: URL) async throws {
        let transcript = try JSONDecoder().decode(Transcript.self, from: try Data(contentsOf: file))
        #expect(!transcript.calls.isEmpty)
        let transport = TranscriptTransport()
        var replay = try Replay(clientID: transcript.clientID, transport: transport)
        for (number, call) in transcript.calls.enumerated() {
            let label = "\(file.lastPathComponent), call \(number + 1), \(call.call)"
            await transport.expect(call.exchanges, label)
            let result = try await replay.perform(call)
            #expect(Replay.plain(result) == Replay.plain(call.result), "\(label)")
            #expect(await transport.isDone, "\(label): a request is missing")
        }
    }
}

/// A file as its README describes it.
struct Transcript: Decodable {
    let clientID: String
    let calls: [Call]

    enum CodingKeys: String, CodingKey {
        case clientID = "client_id"
        case calls
    }

    struct Call: Decodable {
        let call: String
        let with: JSONValue?
        let exchanges: [Exchange]
        let result: JSONValue
    }

    struct Exchange: Decodable, Sendable {
        let request: Request
        let response: Response?
        let failure: String?
    }

    struct Request: Decodable, Sendable {
        let method: String
        let path: String
        let headers: [String: String]
        let body: JSONValue?
    }

    struct Response: Decodable, Sendable {
        let status: Int
        let headers: [String: String]
        let body: JSONValue?
    }
}

/// Compares each request with the transcript and gives its answer.
actor TranscriptTransport: Transport {
    private var expected: [Transcript.Exchange] = []
    private var label = ""

    func expect(_ exchanges: [Transcript.Exchange], _ label: String) {
        (expected, self.label) = (exchanges, label)
    }

    var isDone: Bool { expected.isEmpty }

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let received = ScriptedTransport.Received(request)
        guard !expected.isEmpty else { throw ScriptFailure("\(label): \(received.path) is one request too many") }
        let exchange = expected.removeFirst()
        #expect(received.method == exchange.request.method, "\(label)")
        #expect(received.path == exchange.request.path, "\(label)")
        #expect(received.body == exchange.request.body, "\(label)")
        for name in ["authorization", "content-type"] {
            let sent = received.headers.first { $0.key.lowercased() == name }?.value
            #expect(sent == exchange.request.headers[name], "\(label)")
        }
        guard let response = exchange.response else { throw URLError(.networkConnectionLost) }
        return try ScriptedTransport.response(request, response.status, response.body, response.headers)
    }
}

/// An app that does what a transcript says.
struct Replay {
    let clock = ManualClock()
    let client: GatewayClient
    private var session: Session?
    private var step: Step?

    init(clientID: String, transport: some Transport) throws {
        let api = API(
            url: try #require(URL(string: "https://login.example.com")), clientID: clientID, backEnds: [],
            transport: transport, languages: [])
        client = GatewayClient(
            api: api, store: MemoryTokenStore(), deviceName: nil, consent: NoConsentCheck(), time: clock.source)
    }

    /// Without nulls, which this library does not tell from absent members.
    static func plain(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members): .object(members.filter { $0.value != .null }.mapValues(plain))
        case .array(let items): .array(items.map(plain))
        default: value
        }
    }

    mutating func perform(_ call: Transcript.Call) async throws -> JSONValue {
        do {
            return try await result(call)
        } catch GatewayError.refused(let problem) {
            return refusal(problem)
        } catch GatewayError.sessionEnded(let end) {
            let remains = try await client.session()
            #expect(remains == nil, "the tokens of an ended session are forgotten")
            let reason = end.problem.map { JSONValue.string($0.reason ?? $0.code.rawValue) } ?? .null
            return ["status": "ended", "reason": reason, "state": "ended"]
        }
    }

    private mutating func result(_ call: Transcript.Call) async throws -> JSONValue {
        let with = call.with ?? [:]
        switch call.call {
        case "signIn": return await outcome(try await client.signIn(try credential(with)))
        case "linkSignIn":
            guard case .linkAccount(let question) = step else { throw ScriptFailure("no link is asked for") }
            return await outcome(try await client.signIn(try credential(with), linking: question))
        case "signUp": return await outcome(try await client.signUp(try form(with)))
        case "forgotPassword":
            return await outcome(try await client.forgotPassword(username: try text(with, "username")))
        case "answer": return try await answer(with)
        case "resend":
            step = try await pending().resend()
            return ["status": "next", "step": .string(try stepType())]
        case "nonce": return ["status": "value", "value": .string(try await client.nonce().raw)]
        default: return try await sessionResult(call.call, with)
        }
    }

    private func sessionResult(_ call: String, _ with: JSONValue) async throws -> JSONValue {
        switch call {
        case "accessToken": return ["status": "value", "value": .string(try await open().accessToken())]
        case "profile": return ["status": "value", "value": try json(try await open().profile())]
        case "changePassword":
            let current = try text(with, "current_password")
            try await open().changePassword(from: current, to: try text(with, "new_password"))
            return ["status": "done"]
        case "signOut":
            try await open().signOut(everywhere: with["scope"] == "global")
            let remains = try await client.session()
            #expect(remains == nil)
            return ["status": "done", "state": "signedOut"]
        case "advanceClock":
            guard case .number(let seconds) = with["seconds"] else { throw ScriptFailure("no seconds") }
            clock.advance(seconds)
            return ["status": "done"]
        default: throw ScriptFailure("\(call) is no call of the README")
        }
    }

    private mutating func answer(_ with: JSONValue) async throws -> JSONValue {
        guard case .object(var members) = with else { throw ScriptFailure("no answer") }
        let remembers = members.removeValue(forKey: "remember_device") == true
        return await outcome(try await pending().answer(try stepAnswer(members), rememberDevice: remembers))
    }

    private func stepAnswer(_ members: [String: JSONValue]) throws -> StepAnswer {
        let texts = members.compactMapValues(\.string)
        switch members.keys.sorted() {
        case ["code"]: return .code(try text(.object(members), "code"))
        case ["password"]: return .password(try text(.object(members), "password"))
        case ["recovery_code"]: return .recoveryCode(try text(.object(members), "recovery_code"))
        case ["create_account"]: return .createAccount
        case ["factor"]:
            let option = try pending().alternatives.first { $0.id == texts["factor"] }
            return .factor(try #require(option, "the factor is offered"))
        case ["code", "new_password"]:
            let values = JSONValue.object(members)
            return .reset(code: try text(values, "code"), newPassword: try text(values, "new_password"))
        default: throw ScriptFailure("no answer with \(members.keys.sorted())")
        }
    }

    private mutating func outcome(_ result: SignInResult) async -> JSONValue {
        switch result {
        case .signedIn(let session):
            self.session = session
            return [
                "status": "signedIn", "session": .string(session.id), "account": .string(session.account.id),
                "new_account": .bool(session.signIn?.isNewAccount == true),
            ]
        case .next(let step):
            self.step = step
            return ["status": "next", "step": .string((try? stepType()) ?? "?")]
        }
    }

    private func refusal(_ problem: Problem) -> JSONValue {
        [
            "status": "refused", "code": .string(problem.code.rawValue), "http": .number(Double(problem.status)),
            "detail": problem.detail.map(JSONValue.string) ?? .null,
            "retry_after": problem.retryAfter.map { .number(Double($0)) } ?? .null,
        ]
    }

    private func pending() throws -> Step { try #require(step, "a step is pending") }
    private func open() throws -> Session { try #require(session, "a session is open") }

    private func stepType() throws -> String {
        switch try pending() {
        case .chooseFirstFactor: StepType.chooseFirstFactor.rawValue
        case .password: StepType.password.rawValue
        case .code(let question):
            question.delivery?.medium == .sms && !question.alternatives.isEmpty
                ? StepType.textMessageCode.rawValue : StepType.code.rawValue
        case .authenticatorCode: StepType.authenticatorCode.rawValue
        case .confirmSignUp: StepType.confirmSignUp.rawValue
        case .resetPassword: StepType.resetPassword.rawValue
        case .linkAccount: StepType.linkAccount.rawValue
        case let other: throw ScriptFailure("\(other) is in no transcript so far")
        }
    }

    private func text(_ values: JSONValue, _ name: String) throws -> String {
        try #require(values[name]?.string, "\(name) is given")
    }

    private func credential(_ with: JSONValue) throws -> Credential {
        switch with["method"]?.string {
        case "password":
            return .password(username: try text(with, "username"), password: try text(with, "password"))
        case "guest": return .guest
        case "name": return .username(try text(with, "username"))
        case "emailCode": return .emailCode(try text(with, "username"))
        case "smsCode": return .textMessageCode(try text(with, "username"))
        case "amazon": return .amazon(accessToken: try text(with, "access_token"))
        case "microsoft": return .microsoft(idToken: try text(with, "id_token"))
        case "apple":
            return .apple(
                idToken: try text(with, "id_token"),
                nonce: with["nonce"]?.string.map { Nonce(value: Secret($0)) },
                authorizationCode: with["authorization_code"]?.string, givenName: with["name"]?["given"]?.string,
                familyName: with["name"]?["family"]?.string)
        case let other: throw ScriptFailure("\(other ?? "nothing") is no method of the README")
        }
    }

    private func form(_ with: JSONValue) throws -> SignUpForm {
        SignUpForm(
            username: try text(with, "username"), password: with["password"]?.string, email: with["email"]?.string,
            phone: with["phone"]?.string, displayName: with["display_name"]?.string)
    }

    private func json(_ value: some Encodable) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: try API.encoder.encode(value))
    }
}
