/// Reads a host of a URL as an address, in every spelling that resolvers accept.
///
/// `inet_aton` accepts one to four parts, each decimal, octal or hexadecimal: `2130706433`, `0x7f.1` and `0177.0.0.1`
/// are all 127.0.0.1.
package enum AddressLiteral {
    package static func parse(_ host: some StringProtocol) -> PeerAddress? {
        if host.hasPrefix("["), host.hasSuffix("]") {
            return ipv6(host.dropFirst().dropLast())
        }
        let withoutRoot = host.hasSuffix(".") ? host.dropLast() : host[...]
        return ipv4(withoutRoot)
    }

    /// Whether the host's last label is numeric.
    ///
    /// Such a host is an address or invalid (WHATWG URL, "ends in a number").
    package static func looksNumeric(_ host: some StringProtocol) -> Bool {
        let labels = host.split(separator: ".")
        guard let last = labels.last else { return false }
        return last.utf8.allSatisfy { isDigit($0) } || last.hasPrefix("0x") || last.hasPrefix("0X")
    }

    static func ipv4(_ text: some StringProtocol) -> PeerAddress? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...4).contains(parts.count) else { return nil }
        var numbers: [UInt64] = []
        for part in parts {
            guard let number = number(part) else { return nil }
            numbers.append(number)
        }
        let tail = numbers.removeLast()
        guard numbers.allSatisfy({ $0 <= 255 }), tail < 1 << (8 * (4 - UInt64(numbers.count))) else { return nil }
        let head = numbers.enumerated().reduce(UInt64(0)) { $0 | $1.element << (24 - 8 * UInt64($1.offset)) }
        return .ipv4(UInt32(truncatingIfNeeded: head | tail))
    }

    private static func number(_ part: some StringProtocol) -> UInt64? {
        guard let first = part.utf8.first, isDigit(first) else { return nil }
        if part.hasPrefix("0x") || part.hasPrefix("0X") {
            let digits = part.dropFirst(2)
            return digits.isEmpty ? 0 : UInt64(digits, radix: 16)
        }
        return part.hasPrefix("0") ? UInt64(part, radix: 8) : UInt64(part, radix: 10)
    }

    static func ipv6(_ text: some StringProtocol) -> PeerAddress? {
        let halves = splitAtGap(String(text))
        guard let head = groups(halves.head), let tail = groups(halves.tail ?? "") else { return nil }
        let missing = 8 - head.count - tail.count
        guard halves.tail == nil ? missing == 0 : missing > 0 else { return nil }
        let all = head + Array(repeating: 0, count: missing) + tail
        return PeerAddress(bytes: all.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
    }

    private static func splitAtGap(_ text: String) -> (head: String, tail: String?) {
        let bytes = Array(text.utf8)
        guard let gap = bytes.indices.dropLast().first(where: { bytes[$0] == 0x3A && bytes[$0 + 1] == 0x3A }) else {
            return (text, nil)
        }
        return (String(decoding: bytes[..<gap], as: UTF8.self), String(decoding: bytes[(gap + 2)...], as: UTF8.self))
    }

    private static func groups(_ text: String) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        var groups: [UInt16] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains(".") {
                guard case .ipv4(let address) = ipv4(part) else { return nil }
                groups += [UInt16(address >> 16), UInt16(address & 0xFFFF)]
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.first != UInt8(ascii: "+"),
                    let group = UInt16(part, radix: 16)
                else { return nil }
                groups.append(group)
            }
        }
        return groups
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0") <= byte && byte <= UInt8(ascii: "9")
    }
}
