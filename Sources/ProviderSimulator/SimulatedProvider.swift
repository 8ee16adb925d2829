import HTTPTypes
import JSON

/// One provider: its paths, its answers, and its minted credentials.
///
/// It is synchronous and never waits. `FaultyAnswer` adds delays and faults around it.
protocol SimulatedProvider: Sendable {
    var name: ProviderName { get }
    var endpoints: [Endpoint] { get }

    /// The route of the path's parts below the provider's base, or nil for an unknown path.
    func route(for path: [String]) -> Route?

    /// The documented answer; throws `Refusal` for every request that the provider would refuse.
    func answer(_ request: Received, at route: Route) throws -> Answer

    /// The provider's own form of a refusal.
    func body(of refusal: Refusal) -> JSON

    /// The provider's word for a failure of its own.
    var failureWord: String { get }

    /// A credential for the user, as members of the control answer.
    func mint(_ order: MintOrder, for person: Person) throws -> Minted

    /// Makes new keys; with `keepOld` the former ones stay published.
    func rotate(keepOld: Bool) throws

    /// Forgets everything minted or registered; keys stay.
    func reset()
}

extension SimulatedProvider {
    var failureWord: String { "server_error" }

    func body(of refusal: Refusal) -> JSON {
        ["error": .string(refusal.error), "error_description": .string(refusal.description)]
    }
}

/// A known path: its endpoint, its method, and the value of its variable part (a tenant or a pool).
struct Route: Sendable, Equatable {
    let endpoint: Endpoint
    let method: HTTPRequest.Method
    var variable = ""
}

/// The result of a mint: the answer's members, the single token for a batch, and an app's credential.
struct Minted: Sendable {
    var members: JSONObject
    let token: String
    var credential: JSONObject
    /// The credential of the authorization code grant, if the provider has it.
    var codeCredential: JSONObject?
}
