package import Clients

/// What an app asks for, or what a user granted to it: scopes of the gateway, and resources with theirs.
package struct GrantedAccess: Sendable, Equatable {
    package var scopes: Set<TokenScope>
    package var resources: ResourceScopes

    package init(scopes: Set<TokenScope>, resources: ResourceScopes) {
        (self.scopes, self.resources) = (scopes, resources)
    }

    /// - Parameter names: as the database has them.
    init(names: [String]) {
        self.init(scopes: Set(names: names), resources: ResourceScopes(names: names))
    }

    var names: [String] { scopes.names + resources.names }

    /// The part whose names fulfil a condition; `openid` and the resources themselves are no choice of the user.
    package func keeping(_ isKept: (String) -> Bool) -> GrantedAccess {
        let kept = names.filter { TokenScope(rawValue: $0) == .openid || isResource($0) || isKept($0) }
        return GrantedAccess(names: kept)
    }

    private func isResource(_ name: String) -> Bool { resources.byIdentifier[name] != nil }

    package func isSubset(of other: GrantedAccess) -> Bool {
        scopes.isSubset(of: other.scopes) && resources.isSubset(of: other.resources)
    }
}
