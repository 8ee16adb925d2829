/// Why a value was not read.
struct CBORError: Error, Equatable {
    enum Problem: Equatable, CaseIterable {
        case tooLarge, tooDeep, tooManyItems
        case unexpectedEnd, trailingBytes
        /// A length or number with a longer encoding than needed.
        case notShortest
        case indefiniteLength
        /// Beyond 64 bits with a sign.
        case integerTooLarge
        case invalidUTF8
        /// A key that is neither a number nor a text.
        case unsuitableKey
        case duplicateKey, unsortedKeys
        case tag, float
        /// Additional information 28 to 30, or a simple value other than false, true and null.
        case unassigned
    }

    let problem: Problem
    /// Bytes from the start to the error.
    let offset: Int
}
