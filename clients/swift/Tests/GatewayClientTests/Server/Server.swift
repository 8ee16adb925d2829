import Foundation
import Testing

@testable import GatewayClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A real gateway with the provider simulator, which `make test` starts; their addresses are in the environment.
enum Server {
    static let gateway = address("GATEWAY_CLIENT_TEST_URL")
    static let simulator = address("GATEWAY_CLIENT_TEST_SIMULATOR")
    /// The folder into which the gateway writes its mails.
    static let mails = ProcessInfo.processInfo.environment["GATEWAY_CLIENT_TEST_MAILS"]

    static var isThere: Bool { gateway != nil && simulator != nil && mails != nil }

    private static func address(_ name: String) -> URL? {
        ProcessInfo.processInfo.environment[name].flatMap { URL(string: $0) }
    }

    /// A client of its own, with nothing stored.
    static func client(
        _ store: any TokenStore = MemoryTokenStore(), time: TimeSource = .system, deviceName: String? = "Ann's laptop"
    ) throws -> GatewayClient {
        let api = API(
            url: try #require(gateway), clientID: "app", backEnds: [], transport: URLSessionTransport(),
            languages: ["en"])
        return GatewayClient(
            api: api, store: store, deviceName: deviceName, consent: NoConsentCheck(), time: time)
    }

    /// An answer of the simulator's control surface.
    static func simulated(_ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        let base: URL = try #require(simulator)
        var request = URLRequest(url: try #require(URL(string: path, relativeTo: base)))
        if let body {
            request.httpMethod = "POST"
            request.httpBody = try JSONEncoder().encode(body)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        let (data, response) = try await URLSessionTransport().send(request)
        #expect(response.statusCode == 200, "\(path)")
        return try JSONDecoder().decode(JSONValue.self, from: data)
    }

    static func mint(_ provider: String, _ more: [String: JSONValue] = [:]) async throws -> JSONValue {
        try await simulated("/control/mint", .object(more.merging(["provider": .string(provider)]) { $1 }))
    }

    /// An address and a subject that no one has had.
    static func stranger(_ prefix: String) -> [String: JSONValue] {
        let number = UInt64.random(in: 1_000_000_000_000_000_000 ... .max)
        return ["email": .string(Person.freshEmail()), "subject": .string("\(prefix)\(number)")]
    }

    /// The codes that were mailed to an address, oldest first, once there are so many.
    static func mailedCode(_ address: String, number: Int = 1) async throws -> String {
        let folder = try #require(mails)
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline {
            let codes = try codes(in: folder, to: address)
            if codes.count >= number { return codes[number - 1] }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw ScriptFailure("no mail number \(number) to \(address) came within 30 seconds")
    }

    /// Requires that the gateway refuses a session, which may take a second after its end.
    static func expectEnd(of session: Session) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline {
            do {
                _ = try await session.profile()
            } catch is GatewayError {
                return
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw ScriptFailure("the session has not ended within 30 seconds")
    }

    private static func codes(in folder: String, to address: String) throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".eml") }.sorted()
            .compactMap { try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
            .filter { $0.contains("To: <\(address)>") }
            .compactMap { mail in
                let subject = mail.split(whereSeparator: \.isNewline).first { $0.hasPrefix("Subject: ") }
                return subject?.dropFirst(9).split(separator: " ").map(String.init).first {
                    $0.count == 6 && Int($0) != nil
                }
            }
    }
}

/// A person with an account of their own.
struct Person {
    let email: String
    let password: String
    let client: GatewayClient
    let session: Session

    static let words = "grey heron over the weir 41"
    static let otherWords = "brown otter under the bridge 17"

    static func freshEmail() -> String { "a\(UUID().uuidString.prefix(13).lowercased())@example.com" }

    static func signedUp(_ client: GatewayClient? = nil) async throws -> Person {
        let client = try client ?? Server.client()
        let email = freshEmail()
        let form = SignUpForm(username: email, password: words, displayName: "Ann")
        guard case .next(let step) = try await client.signUp(form), case .confirmSignUp = step else {
            throw ScriptFailure("the sign-up asks for no code")
        }
        let session = try await step.answer(.code(try await Server.mailedCode(email))).session()
        return Person(email: email, password: words, client: client, session: session)
    }

    /// The same person at another device.
    func signInElsewhere() async throws -> SignInResult {
        try await Server.client().signIn(.password(username: email, password: password))
    }
}

extension SignInResult {
    func session() throws -> Session {
        guard case .signedIn(let session) = self else { throw ScriptFailure("no session: \(self)") }
        return session
    }

    func step() throws -> Step {
        guard case .next(let step) = self else { throw ScriptFailure("no step: \(self)") }
        return step
    }
}

/// An authenticator app (RFC 6238).
///
/// The gateway takes each code once.
struct AuthenticatorApp {
    let secret: Data
    private var last = 0

    init(base32 text: String) {
        var (bytes, buffer, bits) = (Data(), 0, 0)
        for letter in text {
            guard let value = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".firstIndex(of: letter) else { continue }
            let number = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".distance(
                from: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".startIndex, to: value)
            (buffer, bits) = (buffer << 5 | number, bits + 5)
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(buffer >> bits & 0xff))
                buffer &= (1 << bits) - 1
            }
        }
        secret = bytes
    }

    /// A code that was not used yet: of this half minute, or of the next one.
    mutating func nextCode() throws -> String {
        last = max(last + 1, Int(Date().timeIntervalSince1970) / 30)
        let counter = Data((0..<8).map { UInt8(last >> (56 - 8 * $0) & 0xff) })
        let digest = try OpenSSL.hmacSHA1(counter, key: secret)
        let offset = Int(digest[19] & 15)
        let number = digest[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } & 0x7fff_ffff
        let digits = String(number % 1_000_000)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }
}
