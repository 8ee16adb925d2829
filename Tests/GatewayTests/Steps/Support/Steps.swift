import Cryptography
import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// An answer with a pending step.
struct PendingAnswer: Sendable {
    let answer: TestAnswer
    let flow: String
    let step: JSON

    var type: String { step["type"]?.string ?? "" }
    /// The types of the offered factors.
    var choices: [String] { (step["factors"]?.array ?? []).compactMap { $0["type"]?.string } }

    init(_ answer: TestAnswer, _ type: String? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws {
        try #require(answer.status == 200, "\(answer.text)", sourceLocation: sourceLocation)
        try #require(answer.json["status"] == "next_step", "\(answer.text)", sourceLocation: sourceLocation)
        #expect(answer.json["session"] == nil, sourceLocation: sourceLocation)
        self.answer = answer
        flow = try #require(answer.json["flow"]?.string, sourceLocation: sourceLocation)
        step = try #require(answer.json["next_step"], sourceLocation: sourceLocation)
        if let type { try #require(self.type == type, "\(answer.text)", sourceLocation: sourceLocation) }
    }
}

extension GatewayProcess {
    /// `POST /v1/sign-in/continue`.
    func answer(_ flow: String, _ response: JSONObject, device: String? = nil) async throws -> TestAnswer {
        var body: JSONObject = ["flow": .string(flow), "response": .object(response)]
        body["device"] = device.map { ["token": .string($0)] }
        return try await post("/v1/sign-in/continue", .object(body))
    }

    /// Begins a sign-in that needs only a name.
    func begin(_ provider: String, _ name: String? = nil, app: String = "app", device: String? = nil) async throws
        -> TestAnswer
    {
        var credential: JSONObject = [:]
        credential["username"] = name.map(JSON.string)
        return try await signIn(provider, credential, app: app, device: device)
    }

    func signIn(_ provider: String, _ credential: JSONObject, app: String = "app", device: String?) async throws
        -> TestAnswer
    {
        var body: JSONObject = [
            "provider": .string(provider), "client_id": .string(app), "credential": .object(credential),
        ]
        body["device"] = device.map { ["token": .string($0)] }
        return try await post("/v1/sign-in", .object(body))
    }

    /// A password sign-in that demands a second factor.
    func passwordProved(
        _ email: String, _ password: String = GatewayProcess.password, app: String = "app",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> PendingAnswer {
        try PendingAnswer(try await passwordSignIn(email, password, app: app), sourceLocation: sourceLocation)
    }

    /// The code in the newest message to an address, once there are that many codes.
    func mailedCode(to email: String, number: Int) async throws -> String {
        try await poll {
            let codes = self.mails(to: email).compactMap(\.code)
            return codes.count >= number ? codes[number - 1] : nil
        }
    }

    func mailedCodes(to email: String) -> Int { mails(to: email).compactMap(\.code).count }

    /// The code in the newest text message to a number, once there are that many.
    func textedCode(to phone: String, number: Int = 1) async throws -> String {
        try await poll {
            let codes = self.texts(to: phone).compactMap(Self.digits)
            return codes.count >= number ? codes[number - 1] : nil
        }
    }

    /// The text messages to a number, oldest first.
    func texts(to phone: String) -> [String] {
        let folder = "\(deployment.folder)/mail"
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        return names.filter { $0.hasSuffix(".sms.txt") }
            .compactMap { try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
            .filter { $0.hasPrefix("To: \(phone)\n") }
    }

    private static func digits(_ text: String) -> String? {
        text.split { !$0.isASCII || !$0.isNumber }.map(String.init).first { $0.utf8.count == 6 }
    }

    /// A flow's row id, by its token.
    static func row(of flow: String) -> UUID? {
        guard let bytes = Base64URL.decode(flow.dropFirst(3)), bytes.count > 37 else { return nil }
        let digits = Array(Hex.encode(Array(bytes[17..<33])))
        let groups = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
        return UUID(uuidString: groups.map { String($0) }.joined(separator: "-"))
    }

    /// Makes another code available now.
    func waitForResend(_ flow: String) async throws {
        let row = try #require(Self.row(of: flow))
        try await change("update flows set resend_after = now() where id = \(row)")
    }

    /// Lets an hour pass for all counts.
    func anHourLater() async throws {
        try await changeThrottles("update throttles set arrival = arrival - interval '1 hour'")
    }

    /// Changes the buckets while nothing is charged, because servers lock several rows in another order.
    func changeThrottles(_ statement: SQL) async throws {
        try await database.pool.withTransaction { connection in
            try connection.execute("lock table throttles in exclusive mode")
            try connection.execute(statement)
        }
    }

    /// Makes a session's proof too old for changes.
    func age(_ session: String) async throws {
        try await change("update sessions set auth_time = now() - interval '11 minutes' where id = \(session)::uuid")
    }

    /// A client that demands two factors of every user.
    func demandingClient() async throws -> String {
        let id = "strict-\(Fresh.text())"
        try await addClient(id, secret: nil)
        try await change("update clients set mfa = 'required' where id = \(id)")
        // Waits until its server has loaded it, and asks a user without a second factor for one.
        let email = Fresh.email()
        _ = try await signUp(email)
        _ = try await poll {
            try await self.passwordSignIn(email, Self.password, app: id).json["status"] == "next_step" ? () : nil
        }
        return id
    }
}

/// The claims of a token about its sign-in.
struct TokenFacts: Sendable, Equatable {
    let amr: [String]
    let acr: String
    let provider: String
    let session: String
    let authTime: Int

    init(_ accessToken: String) throws {
        let parts = accessToken.split(separator: ".")
        try #require(parts.count == 3)
        let json = try JSON(parsing: try #require(Base64URL.decode(parts[1])))
        amr = (json["amr"]?.array ?? []).compactMap(\.string)
        acr = try #require(json["acr"]?.string)
        provider = try #require(json["idp"]?.string)
        session = try #require(json["sid"]?.string)
        authTime = try #require(json["auth_time"]?.integer as Int?)
    }
}

extension SignedInAnswer {
    var facts: TokenFacts { get throws { try TokenFacts(accessToken) } }
    var device: String? { answer.json["device"]?["token"]?.string }
    var recoveryCodes: [String] { (answer.json["recovery_codes"]?.array ?? []).compactMap(\.string) }
}
