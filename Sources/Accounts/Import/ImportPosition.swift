import Cryptography

/// The position of an import: the number of finished lines, and a digest of all of them.
///
/// The digest is chained line by line, so it needs no other state and shows whether a file begins with these lines.
package struct ImportPosition: Sendable, Equatable {
    package private(set) var lines: Int
    package private(set) var digest: [UInt8]

    package static let start = ImportPosition(lines: 0, digest: [UInt8](repeating: 0, count: 32))

    package mutating func advance(over line: LineReader.Line) {
        lines += 1
        switch line {
        case .bytes(let bytes): digest = SHA256.hash(digest + SHA256.hash(bytes))
        case .tooLong: digest = SHA256.hash(digest)
        }
    }

    /// The default name of a run: the same for the same file.
    package var name: String { "sha256:" + Hex.encode(digest) }
}
