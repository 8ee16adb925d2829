import JSON

extension KeyNumbers {
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    /// Reads the numbers of a public JWK and refuses those that are unsafe.
    init(jwk: JSON) throws(JWKError) {
        guard let members = jwk.object else { throw .notAnObject }
        if let name = Self.privateMembers.first(where: { members[$0] != nil }) { throw .privateMember(name) }
        switch members["kty"]?.string {
        case "RSA": self = try Self.rsa(members)
        case "EC": self = try Self.ec(members)
        case nil: throw .malformed(member: "kty")
        default: throw .unsupportedKeyType
        }
    }

    /// RFC 7518 §6.3.1.
    ///
    /// Drops leading zeros, which some issuers write.
    private static func rsa(_ members: JSONObject) throws(JWKError) -> KeyNumbers {
        try checkedRSA(
            modulus: Array(try bytes("n", members).drop { $0 == 0 }),
            exponent: Array(try bytes("e", members).drop { $0 == 0 }))
    }

    /// Refuses a modulus with an unsupported length, an even or factorable one, and an unsafe exponent.
    static func checkedRSA(modulus: [UInt8], exponent: [UInt8]) throws(JWKError) -> KeyNumbers {
        let bits = 8 * modulus.count - (modulus.first?.leadingZeroBitCount ?? 0)
        guard (KeyHandle.shortestModulus...KeyHandle.longestModulus).contains(bits) else {
            throw .modulusLength(bits: bits)
        }
        guard modulus.last.map({ !$0.isMultiple(of: 2) }) ?? false else { throw .malformed(member: "n") }
        guard isSafe(exponent: exponent) else { throw .unsafeExponent }
        guard !ROCA.hasFingerprint(modulus: modulus) else { throw .factorableModulus }
        return .rsa(modulus: modulus, exponent: exponent)
    }

    /// Odd, at least 65537, and within 32 bits: a long exponent makes every check slow.
    private static func isSafe(exponent: [UInt8]) -> Bool {
        guard exponent.count <= 4 else { return false }
        let value = exponent.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return value >= 65537 && !value.isMultiple(of: 2)
    }

    /// RFC 7518 §6.2.1: both coordinates in full length.
    private static func ec(_ members: JSONObject) throws(JWKError) -> KeyNumbers {
        guard let name = members["crv"]?.string else { throw .malformed(member: "crv") }
        guard let curve = Curve(rawValue: name) else { throw .unsupportedCurve }
        return try checkedEC(curve, x: try bytes("x", members), y: try bytes("y", members))
    }

    /// Refuses coordinates that are not written in full length.
    static func checkedEC(_ curve: Curve, x: [UInt8], y: [UInt8]) throws(JWKError) -> KeyNumbers {
        guard x.count == curve.length else { throw .malformed(member: "x") }
        guard y.count == curve.length else { throw .malformed(member: "y") }
        return .ec(curve, x: x, y: y)
    }

    private static func bytes(_ name: String, _ members: JSONObject) throws(JWKError) -> [UInt8] {
        guard let text = members[name]?.string, let bytes = Base64URL.decode(text) else {
            throw .malformed(member: name)
        }
        return bytes
    }

    /// The public members that describe the numbers.
    var jwkMembers: JSONObject {
        switch self {
        case .rsa(let modulus, let exponent):
            ["kty": "RSA", "n": .string(Base64URL.encode(modulus)), "e": .string(Base64URL.encode(exponent))]
        case .ec(let curve, let x, let y):
            [
                "kty": "EC", "crv": .string(curve.rawValue), "x": .string(Base64URL.encode(x)),
                "y": .string(Base64URL.encode(y)),
            ]
        }
    }
}
