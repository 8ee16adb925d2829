/// The check of a caller's `tracestate` (W3C Trace Context).
///
/// The gateway passes its members on unchanged.
package enum TraceState {
    private static let longest = 512
    private static let mostMembers = 32

    /// The members without spaces between them; nil unless their keys are distinct, and all is within the limits.
    package static func checked(_ text: String) -> String? {
        guard (1...longest).contains(text.utf8.count) else { return nil }
        let members = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map(trimmed).filter { !$0.isEmpty }
        guard (1...mostMembers).contains(members.count) else { return nil }
        let keys = members.compactMap(key)
        return keys.count == members.count && Set(keys).count == keys.count
            ? members.map { String(Substring($0)) }.joined(separator: ",") : nil
    }

    /// The key of a valid member.
    private static func key(_ member: Substring.UTF8View) -> String? {
        guard let equals = member.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let (key, value) = (member[..<equals], member[member.index(after: equals)...])
        return isKey(key) && isValue(value) ? String(Substring(key)) : nil
    }

    /// `key`, or `tenant@system`.
    private static func isKey(_ key: Substring.UTF8View) -> Bool {
        let parts = key.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        switch parts.count {
        case 1: return isWord(parts[0], upTo: 256, mayStartWithDigit: false)
        case 2:
            return isWord(parts[0], upTo: 241, mayStartWithDigit: true)
                && isWord(parts[1], upTo: 14, mayStartWithDigit: false)
        default: return false
        }
    }

    private static func isWord(_ word: Substring.UTF8View, upTo limit: Int, mayStartWithDigit: Bool) -> Bool {
        guard let first = word.first, word.count <= limit else { return false }
        guard isLetter(first) || mayStartWithDigit && isDigit(first) else { return false }
        return word.allSatisfy { isLetter($0) || isDigit($0) || "_-*/".utf8.contains($0) }
    }

    /// Visible ASCII and inner spaces, without the separators.
    private static func isValue(_ value: Substring.UTF8View) -> Bool {
        (1...256).contains(value.count) && value.last != 0x20
            && value.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func trimmed(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        guard let start = bytes.firstIndex(where: { !isSpace($0) }),
            let end = bytes.lastIndex(where: { !isSpace($0) })
        else { return bytes[bytes.endIndex...] }
        return bytes[start...end]
    }
}
