import Clients
import Vocabulary

/// What a refreshed access token shall cover (RFC 6749 §6, RFC 8707 §2.2): never more than the grant.
package struct RefreshWish: Sendable {
    /// The identifier of a resource; nil for the only one, or the app's own API.
    let resource: String?
    /// Nil for all that was granted.
    let scopes: Set<String>?

    /// - Parameter scope: scope tokens with spaces between them.
    package init(resource: String? = nil, scope: String? = nil) {
        self.init(resource: resource, scopes: scope.map { Set($0.words) })
    }

    private init(resource: String?, scopes: Set<String>?) { (self.resource, self.scopes) = (resource, scopes) }

    func naming(_ resource: String?) -> RefreshWish { RefreshWish(resource: resource, scopes: scopes) }

    /// - Throws: `scopeInvalid` for a scope that the session does not have.
    func check(against session: SessionSnapshot) throws(Rejection) {
        let granted = session.scopes.names + session.resources.byIdentifier.values.flatMap(\.self)
        try Rejection.requireScopes(scopes ?? [], among: Set(granted))
    }

    /// The ID token stays, because `openid` is no permission.
    func narrowing(_ granted: Set<TokenScope>) -> Set<TokenScope> {
        guard let scopes else { return granted }
        return granted.filter { $0 == .openid || scopes.contains($0.rawValue) }
    }

    func narrowing(_ target: ResourceTarget?) -> ResourceTarget? {
        guard let target, let scopes else { return target }
        return ResourceTarget(target.resource, scopes: scopes.intersection(target.scopes))
    }
}
