/// What a value may cost to read; checked before anything is built.
struct CBORLimits: Sendable {
    /// Length of the whole input.
    var bytes: Int
    /// How many arrays and maps may stand within one another; CTAP2 §8 allows four.
    var depth: Int
    /// Values of all levels together, the keys of maps included.
    var items: Int

    /// For attestation objects, whose certificates are the most of them.
    static let standard = CBORLimits(bytes: 32 * 1024, depth: 4, items: 256)
}
