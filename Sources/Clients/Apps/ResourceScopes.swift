package import Vocabulary

/// The resources that a session or a grant covers, each with its scopes.
package struct ResourceScopes: Sendable, Equatable {
    package private(set) var byIdentifier: [String: Set<String>]

    package static let none = ResourceScopes([:])

    package init(_ byIdentifier: [String: Set<String>]) { self.byIdentifier = byIdentifier }

    /// Reads names of the database; the names of the gateway's own scopes are no resources.
    ///
    /// A resource has the name `<identifier>`, and each of its scopes `<identifier> <scope>`.
    package init(names: [String]) {
        byIdentifier = [:]
        for name in names where name.contains(":") {
            let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
            byIdentifier[parts[0], default: []].formUnion(parts.dropFirst())
        }
    }

    package var names: [String] {
        byIdentifier.flatMap { identifier, scopes in [identifier] + scopes.map { "\(identifier) \($0)" } }.sorted()
    }

    package var isEmpty: Bool { byIdentifier.isEmpty }

    package func isSubset(of other: ResourceScopes) -> Bool {
        byIdentifier.allSatisfy { identifier, scopes in
            other.byIdentifier[identifier].map(scopes.isSubset(of:)) ?? false
        }
    }

    /// The same resources with the scopes that are granted too.
    package func granting(_ granted: ResourceScopes) -> ResourceScopes {
        ResourceScopes(
            byIdentifier.reduce(into: [:]) { kept, entry in
                kept[entry.key] = granted.byIdentifier[entry.key].map(entry.value.intersection)
            })
    }

    /// The resource of a token: the asked one, or the only one; nil for a token at the client's own API.
    ///
    /// - Throws: `targetInvalid` for a resource that is not granted, and where a choice is due.
    package func target(_ asked: String?, among catalogue: ResourceCatalogue) throws(Rejection) -> ResourceTarget? {
        if asked == OwnResource.stored, isEmpty { return nil }
        guard let identifier = asked.map({ catalogue[$0]?.identifier ?? $0 }) ?? only else {
            guard isEmpty else { throw .targetInvalid() }
            return nil
        }
        guard let scopes = byIdentifier[identifier], let resource = catalogue[identifier] else {
            throw .targetInvalid(identifier == OwnResource.stored ? nil : SentText(identifier))
        }
        return ResourceTarget(resource, scopes: scopes)
    }

    private var only: String? { byIdentifier.count == 1 ? byIdentifier.keys.first : nil }
}

/// The resource that one access token is for.
package struct ResourceTarget: Sendable, Equatable {
    package let resource: ProtectedResource
    /// In alphabetical order.
    package let scopes: [String]

    package init(_ resource: ProtectedResource, scopes: Set<String>) {
        (self.resource, self.scopes) = (resource, scopes.sorted())
    }
}
