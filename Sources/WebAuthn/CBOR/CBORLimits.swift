/// The limits of a value, checked before anything is built.
struct CBORLimits: Sendable {
    /// Length of the whole input.
    var bytes: Int
    /// The maximum nesting of arrays and maps; CTAP2 §8 allows four.
    var depth: Int
    /// Values of all levels together, the keys of maps included.
    var items: Int

    /// For attestation objects, which are mostly certificates.
    static let standard = CBORLimits(bytes: 32 * 1024, depth: 4, items: 256)
}
