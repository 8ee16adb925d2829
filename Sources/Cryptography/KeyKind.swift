/// The curves of RFC 7518 §6.2.1.1.
enum Curve: String, CaseIterable, Sendable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"

    /// Bytes of one coordinate, and of each half of a signature.
    var length: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        }
    }

    /// OpenSSL's name of the curve.
    var groupName: String {
        switch self {
        case .p256: "prime256v1"
        case .p384: "secp384r1"
        case .p521: "secp521r1"
        }
    }
}

/// The kind of the key, which decides the algorithms that fit.
enum KeyKind: Equatable, Sendable {
    /// `length` is the length of the modulus and of a signature, in bytes.
    case rsa(length: Int)
    case ec(Curve)

    var signatureLength: Int {
        switch self {
        case .rsa(let length): length
        case .ec(let curve): 2 * curve.length
        }
    }
}
