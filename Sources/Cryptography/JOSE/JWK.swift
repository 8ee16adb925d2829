package import JSON

/// One published key for checking signatures.
package struct JWK: Sendable {
    package let id: String?
    /// The only algorithm of the key; when absent, any that fits its kind.
    package let algorithm: SignatureAlgorithm?
    package let key: PublicKey
    /// A member of Microsoft's keys: the issuer for which the key signs.
    ///
    /// No standard defines the member, so it may have another meaning in other sets.
    package let issuer: String?

    /// Reads one key (RFC 7517 §4), and refuses it unless it checks signatures by an accepted algorithm.
    package init(_ json: JSON, accepting: Set<SignatureAlgorithm>) throws(JWKError) {
        guard let members = json.object else { throw .notAnObject }
        try Self.checkUse(members)
        id = try Self.id(members)
        algorithm = try Self.algorithm(members)
        key = try PublicKey(jwk: json)
        issuer = members["issuer"]?.string
        guard accepting.contains(where: fits) else { throw .unsuitableAlgorithm }
    }

    func fits(_ candidate: SignatureAlgorithm) -> Bool {
        candidate.fits(key.kind) && (algorithm == nil || algorithm == candidate)
    }

    /// RFC 7517 §4.2 and §4.3.
    private static func checkUse(_ members: JSONObject) throws(JWKError) {
        if let use = members["use"], use != "sig" { throw .notForSignatures }
        guard let operations = members["key_ops"] else { return }
        guard let names = operations.array, names.contains("verify") else { throw .notForSignatures }
    }

    /// Any string (RFC 7517 §4.5): it is only compared, and is never part of a path, a query or a log line.
    private static func id(_ members: JSONObject) throws(JWKError) -> String? {
        guard let id = members["kid"] else { return nil }
        guard let text = id.string else { throw .malformed(member: "kid") }
        return text
    }

    private static func algorithm(_ members: JSONObject) throws(JWKError) -> SignatureAlgorithm? {
        guard let value = members["alg"] else { return nil }
        guard let name = value.string, let algorithm = SignatureAlgorithm(rawValue: name) else {
            throw .unsuitableAlgorithm
        }
        return algorithm
    }
}
