import Cryptography
import FoundationEssentials
import JSON
import Outbound
import Providers
import TestSupport
import Testing

/// The adapter for Microsoft with the simulated external tenant, over real HTTP.
struct SimulatedTenant {
    static let password = "Corr3ct-Horse!"
    static let client = "11111111-2222-3333-4444-555555555555"
    static let id = "bbbbbbbb-cccc-dddd-eeee-ffffffffffff"

    let simulator: SimulatorProcess
    let provider: MicrosoftProvider

    init(
        _ simulator: SimulatorProcess, client: String = Self.client, signUp: Bool = false,
        timeout: Duration = .seconds(60)
    ) throws {
        self.simulator = simulator
        var configuration = MicrosoftProvider.Configuration(clientIDs: [client], tenantIDs: [])
        configuration.externalTenantIDs = [Self.id]
        configuration.endpoint = simulator.endpoint("microsoft")
        var native = MicrosoftProvider.Native(
            clientID: client, authority: "https://example.ciamlogin.com/\(Self.id)")
        native.allowsSignUp = signUp
        configuration.native = native
        let transport = HTTPClient(configuration: OutboundConfiguration(insecureAllowLocal: true))
        provider = try MicrosoftProvider(
            configuration,
            upstream: Upstream(
                transport: transport, health: ProviderHealth(provider: .microsoft), timeout: timeout)
        ) { _ in }
    }

    private var context: StepwiseContext { StepwiseContext(now: Date()) }

    /// A new user; `members` are those of `POST /control/microsoft/users`.
    func user(_ members: JSONObject = [:]) async throws -> String {
        let name = Fresh.email()
        var members = members
        members["username"] = .string(name)
        if members["password"] == nil { members["password"] = .string(Self.password) }
        if members["password"]?.isNull == true { members["password"] = JSON?.none }
        let answer = try await simulator.client.send(
            TestRequest("POST", "/control/microsoft/users").json(.object(members)))
        guard answer.status == 200 else { throw HarnessError(answer.text) }
        return name
    }

    /// The content of the user's mails and text messages.
    func seen(by name: String) async throws -> JSON {
        try await simulator.client.send(TestRequest("GET", "/control/microsoft/users?username=\(name)")).json
    }

    func code(_ purpose: String, of name: String) async throws -> String {
        try #require(try await seen(by: name)["codes"]?[purpose]?.string)
    }

    func begin(_ name: String, _ password: String? = Self.password) async throws -> StepwiseAnswer {
        try await provider.begin(username: name, password: password.map { Secret($0) }, context: context)
    }

    func answer(_ response: StepwiseResponse, to answer: StepwiseAnswer) async throws -> StepwiseAnswer {
        try await provider.answer(response, to: try #require(answer.state), context: context)
    }

    func answer(code purpose: String, of name: String, to answer: StepwiseAnswer) async throws -> StepwiseAnswer {
        try await self.answer(.code(try await code(purpose, of: name)), to: answer)
    }

    func resend(_ answer: StepwiseAnswer) async throws -> StepwiseAnswer {
        try await provider.resend(try #require(answer.state), context: context)
    }
}
