/// An IPv4 or IPv6 address, as 16 bytes.
///
/// IPv4 has its mapped form, so that both spellings are one address.
package struct NetworkAddress: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64

    /// Reads dotted or colon-separated text and ignores a zone (`%eth0`).
    ///
    /// Fails for anything else.
    package init?(_ text: String) {
        // This case is fast, because every request parses its own address.
        if let value = Self.dotted(text.utf8Span.span) {
            self.init(value)
            return
        }
        let address = text.prefix { $0 != "%" }
        if address.contains(":") {
            guard let groups = Self.groups(of: address) else { return nil }
            self.init(
                high: groups[..<4].reduce(0) { $0 << 16 | UInt64($1) },
                low: groups[4...].reduce(0) { $0 << 16 | UInt64($1) })
        } else {
            guard let value = Self.dotted(address.utf8Span.span) else { return nil }
            self.init(value)
        }
    }

    /// The IPv4 address; nil for an IPv6 address.
    package var version4: UInt32? { high == 0 && low >> 32 == 0xFFFF ? UInt32(truncatingIfNeeded: low) : nil }

    /// The canonical spelling for storing and counting: dotted for IPv4, RFC 5952's for IPv6.
    package var text: String {
        if let version4 {
            return [24, 16, 8, 0].map { String(version4 >> $0 & 0xFF) }.joined(separator: ".")
        }
        let groups = [high, low].flatMap { half in [48, 32, 16, 0].map { UInt16(truncatingIfNeeded: half >> $0) } }
        let zeros = Self.longestZeros(groups)
        let words = groups.map { String($0, radix: 16) }
        guard zeros.count > 1 else { return words.joined(separator: ":") }
        return words[..<zeros.lowerBound].joined(separator: ":") + "::"
            + words[zeros.upperBound...].joined(separator: ":")
    }

    /// The first of the longest runs of zeros.
    private static func longestZeros(_ groups: [UInt16]) -> Range<Int> {
        var (longest, start) = (0..<0, 0)
        for index in groups.indices {
            guard groups[index] == 0 else {
                start = index + 1
                continue
            }
            if index + 1 - start > longest.count { longest = start..<(index + 1) }
        }
        return longest
    }

    /// The canonical spelling of a client's IP address; any other text unchanged.
    ///
    /// Every request asks: dotted text without a colon has one spelling only.
    package static func canonical(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: ":")) else { return text }
        return NetworkAddress(text)?.text ?? text
    }

    /// The address with only its leading bits, of 128; the others are zero.
    package func keeping(bits: Int) -> NetworkAddress {
        NetworkAddress(
            high: high & ~(bits >= 64 ? 0 : .max >> UInt64(bits)),
            low: bits <= 64 ? 0 : low & ~(bits >= 128 ? 0 : .max >> UInt64(bits - 64)))
    }

    private init(high: UInt64, low: UInt64) {
        (self.high, self.low) = (high, low)
    }

    private init(_ version4: UInt32) {
        self.init(high: 0, low: 0xFFFF_0000_0000 | UInt64(version4))
    }

    package var isLoopback: Bool {
        if let version4 { return version4 >> 24 == 127 }
        return high == 0 && low == 1
    }

    /// Whether the address is outside the public internet: loopback, private, link-local, shared, multicast,
    /// unspecified.
    package var isPrivate: Bool {
        if let version4 { return Self.isPrivate(version4) }
        if high == 0 { return low <= 1 || Self.isPrivate(UInt32(truncatingIfNeeded: low)) }
        if high == 0x0064_FF9B_0000_0000 { return Self.isPrivate(UInt32(truncatingIfNeeded: low)) }  // NAT64
        if high >> 48 == 0x2002 { return Self.isPrivate(UInt32(truncatingIfNeeded: high >> 16)) }  // 6to4
        return high >> 57 == 0x7E || high >> 54 == 0x3FA || high >> 54 == 0x3FB || high >> 56 == 0xFF
            || high >> 32 == 0x2001_0DB8
    }

    private static func isPrivate(_ address: UInt32) -> Bool {
        let networks: [(UInt32, UInt32)] = [
            (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16),
            (0xAC10_0000, 12), (0xC000_0000, 24), (0xC000_0200, 24), (0xC0A8_0000, 16), (0xC612_0000, 15),
            (0xC633_6400, 24), (0xCB00_7100, 24), (0xE000_0000, 4), (0xF000_0000, 4),
        ]
        return networks.contains { network, bits in address >> (32 - bits) == network >> (32 - bits) }
    }

    /// Reads four numbers up to 255, without leading zeros, which some parsers read as octal.
    private static func dotted(_ text: Span<UInt8>) -> UInt32? {
        var (value, number, digits, dots) = (UInt32(0), UInt32(0), 0, 0)
        for index in text.indices {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard digits == 0 || number > 0 else { return nil }
                number = number * 10 + UInt32(byte - UInt8(ascii: "0"))
                digits += 1
                guard number <= 255 else { return nil }
            case UInt8(ascii: "."):
                guard digits > 0, dots < 3 else { return nil }
                (value, number, digits, dots) = (value << 8 | number, 0, 0, dots + 1)
            default: return nil
            }
        }
        return digits > 0 && dots == 3 ? value << 8 | number : nil
    }

    /// The eight groups of an IPv6 address, with `::` expanded (RFC 4291 section 2.2).
    private static func groups(of text: some StringProtocol) -> [UInt16]? {
        let halves = halves(of: String(text))
        guard let head = part(halves.head) else { return nil }
        guard let tailText = halves.tail else { return head.count == 8 ? head : nil }
        guard let tail = part(tailText), head.count + tail.count <= 7 else { return nil }
        return head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
    }

    private static func halves(of text: String) -> (head: String, tail: String?) {
        let bytes = Array(text.utf8)
        for index in bytes.indices.dropLast() where bytes[index] == 0x3A && bytes[index + 1] == 0x3A {
            return (
                String(decoding: bytes[..<index], as: UTF8.self), String(decoding: bytes[(index + 2)...], as: UTF8.self)
            )
        }
        return (text, nil)
    }

    private static func part(_ text: String) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        var groups: [UInt16] = []
        let pieces = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, piece) in pieces.enumerated() {
            if index == pieces.count - 1, piece.contains("."), let value = dotted(piece.utf8Span.span) {
                groups.append(UInt16(truncatingIfNeeded: value >> 16))
                groups.append(UInt16(truncatingIfNeeded: value))
            } else {
                guard (1...4).contains(piece.utf8.count), piece.first != "+", piece.first != "-",
                    let group = UInt16(piece, radix: 16)
                else { return nil }
                groups.append(group)
            }
        }
        return groups
    }
}
