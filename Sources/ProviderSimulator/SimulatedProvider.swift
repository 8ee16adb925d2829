import HTTPTypes
import JSON

/// One provider: which paths it has, what it answers there, and how it mints credentials.
///
/// All of it is synchronous: a provider waits for nobody. Slowness and faults are put around it (`FaultyAnswer`).
protocol SimulatedProvider: Sendable {
    var name: ProviderName { get }
    var endpoints: [Endpoint] { get }

    /// The route behind the path's parts below the provider's base, or nil where the provider has nothing.
    func route(for path: [String]) -> Route?

    /// The documented answer; throws `Refusal` for whatever the provider would refuse.
    func answer(_ request: Received, at route: Route) throws -> Answer

    /// The provider's own way to say no.
    func body(of refusal: Refusal) -> JSON

    /// Its word for a failure of its own.
    var failureWord: String { get }

    /// A credential for the person, as members of the control answer.
    func mint(_ order: MintOrder, for person: Person) throws -> Minted

    /// Gives new keys; with `keepOld` those used so far stay published.
    func rotate(keepOld: Bool) throws

    /// Forgets everything that was minted or registered; keys stay.
    func reset()
}

extension SimulatedProvider {
    var failureWord: String { "server_error" }

    func body(of refusal: Refusal) -> JSON {
        ["error": .string(refusal.error), "error_description": .string(refusal.description)]
    }
}

/// A known path: which endpoint it is, by which method, and what its variable part said (a tenant or a pool).
struct Route: Sendable, Equatable {
    let endpoint: Endpoint
    let method: HTTPRequest.Method
    var variable = ""
}

/// What a mint made: the answer's members, the single token a batch lists, and the credential an app would post.
struct Minted: Sendable {
    var members: JSONObject
    let token: String
    var credential: JSONObject
    /// The credential of the authorization code grant, where the provider has it.
    var codeCredential: JSONObject?
}
