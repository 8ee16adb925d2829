import Clients
import Vocabulary

/// The tokens that a request asks for, by the same rules at every endpoint (RFC 6749 §3.3, RFC 8707 §2.1).
struct AskedAccess {
    /// The scopes and the nonce; no scope without `openid`.
    let tokens: TokenOrder
    /// The resources, each with its scopes.
    let resources: ResourceScopes

    private static let mostResources = 10

    /// - Parameter catalogue: the resources of all clients.
    init(
        _ parameters: AuthorizationParameters, by client: Client, among catalogue: ResourceCatalogue
    ) throws(AuthorizationFault) {
        let targets = try Self.targets(parameters, client, catalogue)
        // An agent gets no token for the gateway itself.
        guard client.isProved || !targets.isEmpty else {
            throw AuthorizationFault(.invalidTarget, "resource: required")
        }
        tokens = try Self.tokens(parameters, knowing: Set(targets.flatMap(\.scopes.keys)))
        let asked = Set((parameters["scope"] ?? "").split(separator: " ").map(String.init))
        resources = ResourceScopes(
            Dictionary(targets.map { ($0.identifier, asked.intersection($0.scopes.keys)) }) { first, _ in first })
    }

    /// The resources that the app asks for and may ask for; the gateway's own API needs no name.
    private static func targets(
        _ parameters: AuthorizationParameters, _ client: Client, _ catalogue: ResourceCatalogue
    ) throws(AuthorizationFault) -> [ProtectedResource] {
        let sent = parameters.resources
        guard sent.count <= mostResources else { throw AuthorizationFault(.invalidTarget, "resource: too many") }
        var targets: [ProtectedResource] = []
        for one in sent where !catalogue.isOwn(one, of: client) {
            guard ProtectedResource.isIdentifier(one) else {
                throw AuthorizationFault(.invalidTarget, "resource: no absolute URI without a fragment")
            }
            guard let resource = catalogue[one], resource.allows(client: client.id) else {
                throw AuthorizationFault(.invalidTarget, "resource: \(SentText(one)) is not registered for this client")
            }
            targets.append(resource)
        }
        return targets
    }

    /// - Parameter others: the scopes of resources.
    private static func tokens(
        _ parameters: AuthorizationParameters, knowing others: Set<String>
    ) throws(AuthorizationFault) -> TokenOrder {
        let scope = parameters["scope"]
        do {
            let order = try TokenOrder(at: .gateway, scope: scope, nonce: parameters["nonce"])
            let names = scope?.split(separator: " ").map(String.init)
            let isKnown = names.map { !Set(names: $0).isEmpty || !others.isDisjoint(with: $0) } ?? true
            guard isKnown else { throw AuthorizationFault(.invalidScope, "scope: no known one") }
            return order
        } catch let fault as AuthorizationFault {
            throw fault
        } catch {
            throw .invalid("nonce", "malformed")
        }
    }
}
