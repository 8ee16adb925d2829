package import JSON

/// The reason why a whole key set was refused.
package enum JWKSetError: Error, Equatable, Sendable {
    /// Not JSON as ``JSON`` reads it: too large, repeated names, and so on.
    case malformed(JSONError.Problem)
    /// The document is no object with an array `keys`.
    case notAKeySet
    case tooManyKeys(count: Int)
}

/// The keys of one issuer, looked up by id and algorithm.
///
/// An unusable member is skipped and does not fail the set (RFC 7517 §5). If two usable keys have the same id and fit
/// the same algorithm, neither is used, because the choice would be ambiguous.
package struct JWKSet: Sendable {
    static let maximumKeys = 100

    /// Ids of several keys for the same algorithm.
    package let ambiguousKeyIDs: [String]
    private let keys: [JWK]
    /// Limits a key without an algorithm, which would fit several, to these.
    private let accepted: Set<SignatureAlgorithm>

    package init(parsing bytes: [UInt8], accepting: Set<SignatureAlgorithm>) throws(JWKSetError) {
        let document: JSON
        do throws(JSONError) {
            document = try JSON(parsing: bytes, limits: .provider)
        } catch {
            throw .malformed(error.problem)
        }
        guard let members = document["keys"]?.array else { throw .notAKeySet }
        guard members.count <= Self.maximumKeys else { throw .tooManyKeys(count: members.count) }
        self.init(members.compactMap { try? JWK($0, accepting: accepting) }, accepting: accepting)
    }

    package init(_ keys: [JWK]) {
        self.init(keys, accepting: Set(SignatureAlgorithm.allCases))
    }

    /// Skips keys without an id, because no token can name them.
    private init(_ keys: [JWK], accepting: Set<SignatureAlgorithm>) {
        // Compares bytes: equal-looking strings may be different ids.
        let named = Dictionary(grouping: keys.filter { $0.id != nil }) { Array(($0.id ?? "").utf8) }
        let ambiguous = named.filter { Self.overlap($0.value, accepting) }
        ambiguousKeyIDs = ambiguous.keys.map { String(decoding: $0, as: UTF8.self) }.sorted()
        self.keys = keys.filter { key in key.id.map { ambiguous[Array($0.utf8)] == nil } ?? false }
        accepted = accepting
    }

    private static func overlap(_ keys: [JWK], _ accepting: Set<SignatureAlgorithm>) -> Bool {
        accepting.contains { algorithm in keys.count { $0.fits(algorithm) } > 1 }
    }

    /// Whether keys were skipped because of ``ambiguousKeyIDs``.
    package var hasAmbiguity: Bool { !ambiguousKeyIDs.isEmpty }

    package var isEmpty: Bool { keys.isEmpty }

    /// Whether a key has this id, for any algorithm.
    package func contains(id: String) -> Bool {
        keys.contains { $0.id?.hasSameBytes(as: id) ?? false }
    }

    package var keyIDs: [String] { keys.compactMap(\.id) }

    /// The key with this id, if both key and set allow the algorithm.
    ///
    /// There is no default key, and keys are not tried one after another.
    package func key(id: String, algorithm: SignatureAlgorithm) -> JWK? {
        guard accepted.contains(algorithm) else { return nil }
        return keys.first { key in
            key.fits(algorithm) && key.id.map { $0.hasSameBytes(as: id) } ?? false
        }
    }
}
