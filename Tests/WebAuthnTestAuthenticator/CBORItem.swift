/// CBOR in exactly the given form, valid or not: the keys of a map keep their order.
package indirect enum CBORItem: Sendable {
    case integer(Int)
    case bytes([UInt8])
    case text(String)
    case bool(Bool)
    case array([CBORItem])
    case map([(CBORItem, CBORItem)])
    /// Raw bytes of an item.
    case raw([UInt8])

    package var encoded: [UInt8] {
        switch self {
        case .integer(let value): Self.head(value < 0 ? 1 : 0, UInt64(value < 0 ? -1 - value : value))
        case .bytes(let content): Self.head(2, UInt64(content.count)) + content
        case .text(let text): Self.head(3, UInt64(text.utf8.count)) + Array(text.utf8)
        case .bool(let value): [value ? 0xF5 : 0xF4]
        case .array(let elements): Self.head(4, UInt64(elements.count)) + elements.flatMap(\.encoded)
        case .map(let entries): Self.head(5, UInt64(entries.count)) + entries.flatMap { $0.0.encoded + $0.1.encoded }
        case .raw(let bytes): bytes
        }
    }

    /// Major type and argument in the fewest bytes.
    package static func head(_ major: UInt8, _ argument: UInt64) -> [UInt8] {
        switch argument {
        case ..<24: [major << 5 | UInt8(argument)]
        case ..<0x100: [major << 5 | 24, UInt8(argument)]
        case ..<0x1_0000: [major << 5 | 25] + bigEndian(argument, 2)
        case ..<0x1_0000_0000: [major << 5 | 26] + bigEndian(argument, 4)
        default: [major << 5 | 27] + bigEndian(argument, 8)
        }
    }

    static func bigEndian(_ value: UInt64, _ length: Int) -> [UInt8] {
        (0..<length).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }
}
