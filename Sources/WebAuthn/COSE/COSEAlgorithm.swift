/// The algorithms that a credential may sign with, by their numbers in the IANA registry "COSE Algorithms".
package enum COSEAlgorithm: Int, Sendable, CaseIterable {
    /// ECDSA with P-256 and SHA-256.
    case es256 = -7
    /// EdDSA, with Ed25519 only.
    case edDSA = -8
    /// RSASSA-PKCS1-v1_5 with SHA-256; what Windows' trusted platform modules have.
    case rs256 = -257
}
