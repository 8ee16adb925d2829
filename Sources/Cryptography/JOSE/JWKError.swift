/// The reason why a JWK was refused.
///
/// A set skips such a member; a single key is refused with it.
package enum JWKError: Error, Equatable, Sendable {
    case notAnObject
    case unsupportedKeyType
    case unsupportedCurve
    /// A member is absent, of another type, or not in the encoding of RFC 7518 §6.
    case malformed(member: String)
    /// A secret key was published, so others may sign with it.
    case privateMember(String)
    case modulusLength(bits: Int)
    case unsafeExponent
    /// The modulus has the fingerprint of a faulty generator (``ROCA``).
    case factorableModulus
    /// Numbers that are no valid key, such as a point off its curve.
    case unsuitableKey
    /// `use` or `key_ops` do not include checking signatures.
    case notForSignatures
    /// `alg` is not allowed here, or does not fit the kind of key.
    case unsuitableAlgorithm
}
