package import Foundation

/// Reads a file line by line with constant memory: one piece of it and one line.
package struct LineReader {
    package enum Line: Equatable {
        case bytes([UInt8])
        /// The rest of an oversized line is only counted.
        case tooLong
    }

    private static let pieceLength = 1 << 20
    private let file: FileHandle
    private let longest: Int
    private var piece: [UInt8] = []
    private var position = 0
    /// The number of bytes before the next line.
    package private(set) var bytesRead = 0

    package init(_ file: FileHandle, longest: Int = ImportedAccount.longestLine) {
        (self.file, self.longest) = (file, longest)
    }

    /// The next line without its end; nil at the end of the file.
    ///
    /// A last line may lack its line feed.
    package mutating func next() throws -> Line? {
        var line: [UInt8] = []
        var isTooLong = false
        var hasAny = false
        while try position < piece.count || fill() {
            hasAny = true
            let rest = piece[position...]
            let end = rest.firstIndex(of: 0x0A)
            let part = rest[..<(end ?? piece.count)]
            isTooLong = isTooLong || line.count + part.count > longest
            if !isTooLong { line += part }
            bytesRead += part.count + (end == nil ? 0 : 1)
            position = end.map { $0 + 1 } ?? piece.count
            if end != nil { break }
        }
        guard hasAny else { return nil }
        return isTooLong ? .tooLong : .bytes(line)
    }

    private mutating func fill() throws -> Bool {
        position = 0
        piece = try file.read(upToCount: Self.pieceLength).map { Array($0) } ?? []
        return !piece.isEmpty
    }
}
