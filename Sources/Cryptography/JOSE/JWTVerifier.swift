package import FoundationEssentials
import JSON

/// The checks of a signed token, in order, each named (OpenID Connect Core §3.1.3.7, RFC 8725).
///
/// A caller uses ``headerRefusal(of:)`` before the key lookup. A token with a forbidden algorithm or a malformed key id
/// then causes no lookup. ``verify(_:key:at:)`` follows with the key.
package struct JWTVerifier: Sendable {
    private let rules: TokenRules

    package init(_ rules: TokenRules) {
        self.rules = rules
    }

    package func headerRefusal(of jwt: JWT) -> TokenRefusal? {
        Self.headerRefusal(of: jwt, rules: rules)
    }

    /// The fault of the header, if any: algorithm, unsupported members, type, key id.
    ///
    /// `jku`, `jwk`, `x5u` and `x5c` are ignored: keys come only from the issuer's set.
    package static func headerRefusal(of jwt: JWT, rules: TokenRules) -> TokenRefusal? {
        guard algorithm(of: jwt, rules) != nil else { return .algorithmNotAllowed }
        guard ["crit", "b64", "zip", "enc"].allSatisfy({ jwt.header[$0] == nil }) else { return .headerUnsupported }
        if jwt.header["cty"]?.string?.uppercased() == "JWT" { return .headerUnsupported }
        guard hasAcceptedType(jwt, rules) else { return .wrongTokenType }
        guard jwt.keyID != nil else { return .keyIDMalformed }
        return nil
    }

    /// Checks everything including the header, so that no caller can omit it.
    package func verify(_ jwt: JWT, key: PublicKey, at now: Date) throws(TokenRefusal) -> VerifiedClaims {
        if let refusal = headerRefusal(of: jwt) { throw refusal }
        guard let algorithm = Self.algorithm(of: jwt, rules), jwt.isSigned(by: key, algorithm) else {
            throw .signatureInvalid
        }
        return try ClaimChecks(claims: jwt.claims, rules: rules, now: now).verified(jwt, by: algorithm)
    }

    private static func algorithm(of jwt: JWT, _ rules: TokenRules) -> SignatureAlgorithm? {
        rules.algorithms.first { $0.rawValue.hasSameBytes(as: jwt.algorithmName) }
    }

    private static func hasAcceptedType(_ jwt: JWT, _ rules: TokenRules) -> Bool {
        guard let type = jwt.header["typ"] else { return true }
        guard let name = type.string?.lowercased() else { return false }
        return rules.acceptedTypes.contains { $0.lowercased().hasSameBytes(as: name) }
    }
}
