import Cryptography
import FoundationEssentials
import JSON
import Outbound
import Providers
import TestSupport
import Testing

/// The adapter for Cognito with the simulated pool, over real HTTP, as one app client.
struct SimulatedPool {
    static let password = "Corr3ct-Horse!"

    let simulator: SimulatorProcess
    let provider: CognitoProvider
    let clientID: String
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - client: members of `POST /control/cognito/clients`; without any, the simulator's own client.
    ///   - now: the adapter's time.
    init(
        _ simulator: SimulatorProcess, _ flow: CognitoProvider.AuthFlow = .srp, client: JSONObject? = nil,
        timeout: Duration = .seconds(60), now: @escaping @Sendable () -> Date = { Date() }
    ) async throws {
        self.simulator = simulator
        self.now = now
        var id = "cognitoclient0000000000001"
        if var client {
            id = "client" + Fresh.text()
            client["client_id"] = .string(id)
            _ = try await Self.control(simulator, "clients", client)
        }
        clientID = id
        var configuration = CognitoProvider.Configuration(
            region: "us-east-1", userPoolID: "us-east-1_Example01", clientIDs: [id])
        configuration.authFlow = flow
        configuration.endpoint = simulator.endpoint("cognito")
        configuration.clientSecret = client?["secret"]?.string.map { Secret($0) }
        let transport = HTTPClient(configuration: OutboundConfiguration(insecureAllowLocal: true))
        let upstream = Upstream(
            transport: transport, health: ProviderHealth(provider: .cognito), timeout: timeout)
        provider = try CognitoProvider(configuration, upstream: upstream)
    }

    private var context: StepwiseContext { StepwiseContext(now: now(), callerAddress: "192.0.2.7") }

    /// A new user; `members` are those of `POST /control/cognito/users`.
    func user(_ members: JSONObject = [:]) async throws -> String {
        let name = Fresh.email()
        var members = members
        members["username"] = .string(name)
        if members["password"] == nil { members["password"] = .string(Self.password) }
        if members["email"] == nil { members["email"] = .string(name) }
        if members["email"]?.isNull == true { members["email"] = JSON?.none }
        if members["password"]?.isNull == true { members["password"] = JSON?.none }
        _ = try await Self.control(simulator, "users", members)
        return name
    }

    /// The content of the user's mails and text messages.
    func seen(by name: String) async throws -> JSON {
        try await simulator.client.send(TestRequest("GET", "/control/cognito/users?username=\(name)")).json
    }

    func code(_ purpose: String, of name: String) async throws -> StepwiseResponse {
        .code(try #require(try await seen(by: name)["codes"]?[purpose]?.string))
    }

    func begin(_ name: String, _ password: String? = Self.password) async throws -> StepwiseAnswer {
        try await provider.begin(username: name, password: password.map { Secret($0) }, context: context)
    }

    func answer(_ response: StepwiseResponse, to answer: StepwiseAnswer) async throws -> StepwiseAnswer {
        try await provider.answer(response, to: try #require(answer.state), context: context)
    }

    func resend(_ answer: StepwiseAnswer) async throws -> StepwiseAnswer {
        try await provider.resend(try #require(answer.state), context: context)
    }

    func assertion(_ name: String, _ options: JSONObject) async throws -> JSONObject {
        let answer = try await Self.control(
            simulator, "assertion", ["username": .string(name), "options": .object(options)])
        return try #require(answer.object)
    }

    static func control(_ simulator: SimulatorProcess, _ path: String, _ members: JSONObject) async throws -> JSON {
        let answer = try await simulator.client.send(
            TestRequest("POST", "/control/cognito/\(path)").json(.object(members)))
        guard (200..<300).contains(answer.status) else { throw HarnessError(answer.text) }
        return answer.json
    }
}

extension StepwiseAnswer {
    var state: JSON? {
        switch self {
        case .step(_, let state, _), .again(_, let state): state
        case .verified, .ended: nil
        }
    }

    var step: ProviderStep? {
        guard case .step(let step, _, _) = self else { return nil }
        return step
    }

    var identity: ExternalIdentity? {
        guard case .verified(let identity) = self else { return nil }
        return identity
    }

    var refusal: StepRefusal? {
        guard case .again(let refusal, _) = self else { return nil }
        return refusal
    }

    var end: StepwiseEnd? {
        guard case .ended(let end) = self else { return nil }
        return end
    }
}
