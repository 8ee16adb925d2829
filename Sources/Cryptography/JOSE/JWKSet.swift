package import JSON

/// Why a whole key set was refused.
package enum JWKSetError: Error, Equatable, Sendable {
    /// Not JSON as ``JSON`` reads it: too large, repeated names, and so on.
    case malformed(JSONError.Problem)
    /// No object with an array `keys`.
    case notAKeySet
    case tooManyKeys(count: Int)
}

/// The keys of one issuer, looked up by id and algorithm.
///
/// A member that cannot be used is skipped and does not fail the set (RFC 7517 §5). Of two usable keys with one id that fit
/// the same algorithm neither is used: nobody could say which of them is meant.
package struct JWKSet: Sendable {
    package static let maximumKeys = 100

    /// Ids that name several keys for one algorithm.
    package let ambiguousKeyIDs: [String]
    private let keys: [JWK]
    /// A key that names no algorithm fits several: it is given out for these alone.
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

    /// Keys without an id cannot be asked for and are left out.
    private init(_ keys: [JWK], accepting: Set<SignatureAlgorithm>) {
        // By their bytes: strings that only look the same are different ids.
        let named = Dictionary(grouping: keys.filter { $0.id != nil }) { Array(($0.id ?? "").utf8) }
        let ambiguous = named.filter { Self.overlap($0.value, accepting) }
        ambiguousKeyIDs = ambiguous.keys.map { String(decoding: $0, as: UTF8.self) }.sorted()
        self.keys = keys.filter { key in key.id.map { ambiguous[Array($0.utf8)] == nil } ?? false }
        accepted = accepting
    }

    private static func overlap(_ keys: [JWK], _ accepting: Set<SignatureAlgorithm>) -> Bool {
        accepting.contains { algorithm in keys.count { $0.fits(algorithm) } > 1 }
    }

    /// Whether some keys were left out because of ``ambiguousKeyIDs``.
    package var hasAmbiguity: Bool { !ambiguousKeyIDs.isEmpty }

    package var isEmpty: Bool { keys.isEmpty }

    /// Whether a key has this id, for whatever algorithm.
    package func contains(id: String) -> Bool {
        keys.contains { $0.id?.hasSameBytes(as: id) ?? false }
    }

    package var keyIDs: [String] { keys.compactMap(\.id) }

    /// The key with this id, provided it may be used with the algorithm, and that was accepted for the set.
    ///
    /// There is no default key and no trying of all.
    package func key(id: String, algorithm: SignatureAlgorithm) -> JWK? {
        guard accepted.contains(algorithm) else { return nil }
        return keys.first { key in
            key.fits(algorithm) && key.id.map { $0.hasSameBytes(as: id) } ?? false
        }
    }
}
