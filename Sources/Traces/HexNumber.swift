/// Numbers of 64 bits as 16 lower-case hexadecimal digits.
package enum HexNumber {
    package static func text(_ numbers: UInt64...) -> String {
        var bytes: [UInt8] = []
        for number in numbers { append(number, to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    package static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: 60, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: number >> UInt64(shift)) & 15
            bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }

    /// Reads at most 16 digits; nil if one is no lower-case hexadecimal digit.
    static func read(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt64? {
        var number: UInt64 = 0
        for index in range {
            switch bytes[index] {
            case 0x30...0x39: number = number << 4 | UInt64(bytes[index] - 0x30)
            case 0x61...0x66: number = number << 4 | UInt64(bytes[index] - 0x57)
            default: return nil
            }
        }
        return number
    }
}
