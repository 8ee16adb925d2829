/// The supported signature algorithms, by their numbers in the IANA registry "COSE Algorithms".
package enum COSEAlgorithm: Int, Sendable, CaseIterable {
    /// ECDSA with P-256 and SHA-256.
    case es256 = -7
    /// EdDSA, with Ed25519 only.
    case edDSA = -8
    /// RSASSA-PKCS1-v1_5 with SHA-256, used by Windows' trusted platform modules.
    case rs256 = -257
}
