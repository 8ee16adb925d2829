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
        let names = parameters["scope"]?.words
        try Self.checkScopes(names ?? [], client)
        tokens = try Self.tokens(parameters, names, knowing: Set(targets.flatMap(\.scopes.keys)))
        resources = ResourceScopes(
            Dictionary(targets.map { ($0.identifier, Set($0.scopes.keys).intersection(names ?? [])) }) { first, _ in
                first
            })
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

    /// Refuses what the operator does not allow the app; unknown scopes have no effect.
    private static func checkScopes(_ names: [String], _ client: Client) throws(AuthorizationFault) {
        let refused = Set(names: names).intersection(TokenScope.own).subtracting(client.openID.scopes)
        guard refused.isEmpty else {
            throw AuthorizationFault(
                .invalidScope, "scope: not allowed for this client: \(refused.names.joined(separator: " "))")
        }
    }

    /// - Parameters:
    ///   - names: the scopes that the request asks for; nil without `scope`.
    ///   - others: the scopes of resources.
    private static func tokens(
        _ parameters: AuthorizationParameters, _ names: [String]?, knowing others: Set<String>
    ) throws(AuthorizationFault) -> TokenOrder {
        let order: TokenOrder
        do throws(Rejection) {
            order = try TokenOrder(at: .gateway, scope: parameters["scope"], nonce: parameters["nonce"])
        } catch {
            throw .invalid("nonce", "malformed")
        }
        let isKnown = names.map { $0.contains { TokenScope(rawValue: $0) != nil || others.contains($0) } } ?? true
        guard isKnown else { throw AuthorizationFault(.invalidScope, "scope: no known one") }
        return order
    }
}
