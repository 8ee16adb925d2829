/// The forms of DER (X.690) that certificates and signatures need.
package enum DERItem {
    package static func sequence(_ parts: [[UInt8]]) -> [UInt8] { element(0x30, Array(parts.joined())) }
    package static func set(_ content: [UInt8]) -> [UInt8] { element(0x31, content) }
    package static func octetString(_ content: [UInt8]) -> [UInt8] { element(0x04, content) }
    package static func bitString(_ content: [UInt8]) -> [UInt8] { element(0x03, [0] + content) }
    package static let null: [UInt8] = [0x05, 0]
    package static let isTrue: [UInt8] = [0x01, 0x01, 0xFF]

    /// A positive integer from its big-endian bytes.
    package static func integer(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array(bytes.drop { $0 == 0 })
        let isNegative = (digits.first ?? 0x80) >= 0x80
        return element(0x02, isNegative ? [0] + digits : digits)
    }

    /// An object identifier in dotted numbers.
    package static func object(_ identifier: String) -> [UInt8] {
        let numbers = identifier.split(separator: ".").compactMap { Int($0) }
        return element(0x06, [UInt8(40 * numbers[0] + numbers[1])] + numbers.dropFirst(2).flatMap(base128))
    }

    private static func base128(_ number: Int) -> [UInt8] {
        number < 128 ? [UInt8(number)] : base128(number >> 7).map { $0 | 0x80 } + [UInt8(number & 0x7F)]
    }

    package static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        return switch count {
        case ..<0x80: [tag, UInt8(count)] + content
        case ..<0x100: [tag, 0x81, UInt8(count)] + content
        default: [tag, 0x82, UInt8(count >> 8), UInt8(count & 0xFF)] + content
        }
    }

    /// An ECDSA signature from its raw form `r‖s`.
    package static func signature(raw: [UInt8]) -> [UInt8] {
        let half = raw.count / 2
        return sequence([integer(Array(raw[..<half])), integer(Array(raw[half...]))])
    }
}
