/// The document of a masked page, cut at its marks.
///
/// Each request fills in its texts.
package struct MaskedDocument: Sendable {
    private enum Piece {
        case fixed(Range<Int>)
        case text(Int)
        /// The number of the time; its words follow it.
        case time(Int)
    }

    private let bytes: [UInt8]
    private let pieces: [Piece]

    package init(_ document: String) {
        let bytes = Array(document.utf8)
        var pieces: [Piece] = []
        var done = 0
        while let start = bytes[done...].firstIndex(where: { $0 == TextMask.start || $0 == TextMask.timeStart }),
            let end = bytes[start...].firstIndex(of: TextMask.end)
        {
            pieces.append(.fixed(done..<start))
            let number = bytes[(start + 1)..<end].reduce(0) { $0 * 10 + Int($1 - 0x30) }
            pieces.append(bytes[start] == TextMask.start ? .text(number) : .time(number))
            done = end + 1
        }
        pieces.append(.fixed(done..<bytes.count))
        (self.bytes, self.pieces) = (bytes, pieces)
    }

    /// Its memory in bytes.
    var approximateBytes: Int { bytes.count + pieces.count * MemoryLayout<Piece>.stride }

    /// The whole document.
    ///
    /// Texts are written without being searched for marks.
    package func filled(with texts: [String]) -> [UInt8] {
        var html: [UInt8] = []
        html.reserveCapacity(bytes.count + texts.reduce(0) { $0 + 2 * $1.utf8.count })
        for piece in pieces {
            switch piece {
            case .fixed(let range): html.append(contentsOf: bytes[range])
            case .text(let number): HTMLText.append(texts[number], to: &html)
            case .time(let number):
                html.append(contentsOf: "<time datetime=\"".utf8)
                HTMLText.append(texts[number], to: &html)
                html.append(contentsOf: "\">".utf8)
                HTMLText.append(texts[number + 1], to: &html)
                html.append(contentsOf: "</time>".utf8)
            }
        }
        return html
    }
}
