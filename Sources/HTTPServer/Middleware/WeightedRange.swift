/// One range of a header that negotiates, such as `Accept-Language`, with its weight in thousandths.
struct WeightedRange {
    /// The length limit of a list, against costly input.
    private static let longestList = 512
    private static let mostRanges = 16

    let name: Substring
    let weight: Int

    /// The ranges of a header; those with an unexpected syntax are left out.
    static func all(in header: String) -> [WeightedRange] {
        items(of: header, separator: ",").compactMap(WeightedRange.init)
    }

    /// The items of a list, without a truncated last one: half a tag may name another language.
    static func items(of list: String, separator: Character) -> [Substring] {
        let isWhole = list.utf8.count <= longestList
        let text = isWhole ? list : String(decoding: list.utf8.prefix(longestList), as: UTF8.self)
        let parts = text.split(separator: separator)
        return Array((isWhole ? parts : parts.dropLast()).prefix(mostRanges))
    }

    /// Nil for syntax that RFC 9110 §12.4.2 doesn't allow.
    init?(_ text: Substring) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
        guard let name = parts.first, parts.count <= 2 else { return nil }
        self.name = name
        guard let parameter = parts.dropFirst().first else {
            weight = 1000
            return
        }
        guard parameter.hasPrefix("q=") || parameter.hasPrefix("Q="),
            let weight = Self.thousandths(parameter.utf8.dropFirst(2))
        else { return nil }
        self.weight = weight
    }

    /// `0`, `1`, or either with up to three decimals; at most 1.
    private static func thousandths(_ text: Substring.UTF8View.SubSequence) -> Int? {
        let digits = text.filter { (0x30...0x39).contains($0) }
        let point = text.dropFirst().first
        guard (1...5).contains(text.count), text.first != UInt8(ascii: "."), point == nil || point == UInt8(ascii: "."),
            digits.count == text.count - (point == nil ? 0 : 1)
        else { return nil }
        let padded = digits + Array(repeating: 0x30, count: 4 - digits.count)
        let value = padded.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return value <= 1000 ? value : nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text
    }
}
