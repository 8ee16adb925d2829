/// The calling code of an international number (E.164), and how numbers of its countries treat a zero.
///
/// No calling code is a prefix of another, so the first digits decide its length.
struct CallingCode: Sendable, Equatable {
    let digits: String

    /// Nil for fewer than three digits.
    init?(startOf number: ArraySlice<UInt8>) {
        guard number.count >= 3 else { return nil }
        let first = String(decoding: number.prefix(2), as: UTF8.self)
        let length = first.hasPrefix("1") || first.hasPrefix("7") ? 1 : Self.twoDigits.contains(first) ? 2 : 3
        digits = String(decoding: number.prefix(length), as: UTF8.self)
    }

    /// Whether a subscriber's number may begin with 0: Italy's 06 is part of the number, Germany's 030 begins with a
    /// trunk prefix.
    ///
    /// Source: the number patterns in the metadata of libphonenumber.
    var mayPrecedeZero: Bool { Self.beforeZero.contains(digits) }

    /// The prefix that is dialled within a country and often written in parentheses after the calling code.
    var trunkPrefixes: [String] {
        guard !mayPrecedeZero else { return [] }
        return ["0"] + (Self.otherTrunkPrefixes[digits].map { [$0] } ?? [])
    }

    private static let twoDigits = Set(
        [
            20, 27, 30, 31, 32, 33, 34, 36, 39, 40, 41, 43, 44, 45, 46, 47, 48, 49, 51, 52, 53, 54, 55, 56, 57, 58, 60,
            61, 62, 63, 64, 65, 66, 81, 82, 84, 86, 90, 91, 92, 93, 94, 95, 98,
        ].map(String.init))
    /// Italy, Burkina Faso, Ivory Coast, Niger, Benin, Gabon, Congo, Ascension, Norway's short numbers, Rwanda, San
    /// Marino, New Caledonia, Tajikistan and satellites.
    private static let beforeZero: Set = [
        "39", "225", "226", "227", "229", "241", "242", "247", "47", "250", "378", "687", "992", "881",
    ]
    private static let otherTrunkPrefixes = ["7": "8", "36": "06", "370": "8", "375": "8", "993": "8"]
}
