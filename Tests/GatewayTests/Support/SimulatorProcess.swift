import Foundation
import JSON
import TestSupport

/// A running provider simulator.
///
/// Tests that only mint share one (``shared``); a test that makes a provider fail or counts its requests starts its
/// own.
final class SimulatorProcess: Sendable {
    let client: TestClient
    private let child: ChildProcess

    var port: Int { client.port }

    static func start() async throws -> SimulatorProcess {
        let child = try ChildProcess(
            "provider-simulator",
            ["--port", "0", "--keys", Configurations.root.appending(path: "var/simulator-keys").path],
            folder: try makeTemporaryFolder())
        do {
            let port = try await poll(within: .seconds(60)) { () throws -> Int? in
                if let code = child.exitCode { throw HarnessError("The simulator ended with \(code): \(child.errors)") }
                return child.output.split(separator: "\n").first { $0.hasPrefix("listening on ") }?
                    .split(separator: ":").last.flatMap { Int($0) }
            }
            let simulator = SimulatorProcess(child: child, port: port)
            try await simulator.makeKeys()
            return simulator
        } catch {
            await child.kill9()
            throw error
        }
    }

    private init(child: ChildProcess, port: Int) {
        self.child = child
        client = TestClient(port: port)
    }

    /// Creates every key before a test with a deadline needs one, and clears the request counts.
    private func makeKeys() async throws {
        let places = [
            "apple/auth/keys", "google/keys", "acme/keys", "cognito/us-east-1_Example01/.well-known/jwks.json",
            "microsoft/aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee/discovery/v2.0/keys",
        ]
        for place in places { _ = try await client.send(TestRequest("GET", "/\(place)")) }
        _ = try await mint("cognito")
        _ = try await client.send(TestRequest("POST", "/control/requests/reset").json([:]))
    }

    func stop() async {
        await child.kill9()
        try? FileManager.default.removeItem(atPath: child.folder)
    }

    /// The value of `*_ENDPOINT` for a provider.
    func endpoint(_ provider: String) -> String { "http://127.0.0.1:\(port)/\(provider)" }

    /// The key that signs Apple's client secrets, as PEM.
    func applePrivateKey() async throws -> String {
        try await client.send(TestRequest("GET", "/control/apple-private-key")).text
    }

    /// Mints a credential; `members` are those of `POST /control/mint` (docs/simulator.md).
    ///
    /// The user is new, with a new address of the same kind, unless `subject` and `email` are given.
    func mint(_ provider: String, _ members: JSONObject = [:]) async throws -> Minted {
        var members = members
        // Few of their tokens state it. Without it a session first needs another proof (3-B5): tests about that name
        // `claims`.
        if members["claims"] == nil, ["google", "acme", "microsoft"].contains(provider) {
            members["claims"] = ["auth_time": .integer(Int(Date().timeIntervalSince1970))]
        }
        if members["subject"] == nil { members["subject"] = .string(Fresh.subject(provider)) }
        if members["email"] == nil { members["email"] = .string(Fresh.email()) }
        return Minted(provider: provider, members: try await control("mint", provider, members))
    }

    /// Many tokens in one request.
    func mintBatch(_ provider: String, _ members: JSONObject) async throws -> [Minted] {
        let answer = try await control("mint", provider, members)
        return (answer["tokens"]?.array ?? []).compactMap(\.string).map { token in
            Minted(provider: provider, members: [Minted.tokenMember(provider): .string(token)])
        }
    }

    /// Sets the failure mode of an endpoint until the next change (docs/simulator.md).
    func behave(_ provider: String, _ mode: String, endpoint: String = "all", _ members: JSONObject = [:]) async throws
    {
        var members = members
        members["endpoint"] = .string(endpoint)
        members["mode"] = .string(mode)
        _ = try await control("behaviour", provider, members)
    }

    /// New signing keys.
    func rotate(_ provider: String, keepOld: Bool = true) async throws {
        _ = try await control("rotate", provider, ["keep_old": .bool(keepOld)])
    }

    /// The number of requests to an endpoint; `unknown` counts unknown paths.
    func requests(_ provider: String, _ endpoint: String) async throws -> Int {
        let report = try await client.send(TestRequest("GET", "/control/requests?provider=\(provider)")).json
        guard let count = report["endpoints"]?[endpoint]?["count"]?.integer else {
            throw HarnessError("The simulator counts no \(endpoint) of \(provider).")
        }
        return count
    }

    /// The number of followed redirections and of requests for unknown paths.
    func strayRequests() async throws -> Int {
        let report = try await client.send(TestRequest("GET", "/control/requests")).json
        return ["unknown", "redirected"].reduce(0) { $0 + (report["providers"]?[$1]?["count"]?.integer ?? 0) }
    }

    func control(_ path: String, _ provider: String, _ members: JSONObject) async throws -> JSON {
        var members = members
        members["provider"] = .string(provider)
        let answer = try await client.send(TestRequest("POST", "/control/\(path)").json(.object(members)))
        guard (200..<300).contains(answer.status) else {
            throw HarnessError("The simulator refused /control/\(path): \(answer.text)")
        }
        return answer.json
    }
}

/// The minted credentials of a user.
struct Minted: Sendable {
    let provider: String
    let members: JSON

    /// The token for an app to post.
    var token: String { members[Self.tokenMember(provider)]?.string ?? "" }

    /// The `credential` of a sign-in by token, with the raw nonce if there is one.
    func credential(nonce: String? = nil) -> JSONObject {
        var credential: JSONObject = [Self.tokenMember(provider): .string(token)]
        credential["nonce"] = nonce.map(JSON.string)
        return credential
    }

    /// The `credential` of a sign-in by authorization code; Apple's includes the token.
    func codeCredential(nonce: String? = nil) -> JSONObject {
        var credential: JSONObject = provider == "apple" ? self.credential() : [:]
        for name in ["authorization_code", "code_verifier", "redirect_uri"] {
            credential[name] = members[name]
        }
        credential["nonce"] = nonce.map(JSON.string)
        return credential
    }

    static func tokenMember(_ provider: String) -> String {
        provider == "amazon" ? "access_token" : "id_token"
    }
}

/// The shared simulator: the first test that needs it starts it, and it stops after its last user.
actor SharedSimulator {
    static let shared = SharedSimulator()

    private var holders = 0
    private var starting: Task<SimulatorProcess, any Error>?

    func acquire() async throws -> SimulatorProcess {
        holders += 1
        let task = starting ?? Task { try await SimulatorProcess.start() }
        starting = task
        do {
            return try await task.value
        } catch {
            holders -= 1
            if holders == 0 { starting = nil }
            throw error
        }
    }

    func release() async {
        holders -= 1
        guard holders == 0, let task = starting else { return }
        starting = nil
        if let simulator = try? await task.value { await simulator.stop() }
    }
}
