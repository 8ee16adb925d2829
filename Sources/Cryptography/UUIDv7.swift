package import FoundationEssentials

extension UUID {
    /// An id that sorts by time (RFC 9562 §5.7): 48 bits of Unix milliseconds, then 74 random bits.
    package static func v7(at date: Date, random: RandomBytes) -> UUID {
        let milliseconds = UInt64(min(max(date.timeIntervalSince1970 * 1000, 0), Double(1 << 48 - 1)))
        let noise = random(10).reduce(0) { $0 << 8 | UInt128($1) }
        let marked: UInt128 = 0xF << 76 | 0b11 << 62
        let (version, variant): (UInt128, UInt128) = (7 << 76, 0b10 << 62)
        return UUID(UInt128(milliseconds) << 80 | version | variant | noise & ~marked)
    }

    /// The sixteen bytes in order.
    var bytes: [UInt8] {
        let u = uuid
        return [u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15]
    }

    /// The 36 characters in lower case.
    package var text: String {
        let number = number
        return unsafe String(unsafeUninitializedCapacity: 36) { text in
            var place = 0
            for digit in 0..<32 {
                if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
                    unsafe text[place] = UInt8(ascii: "-")
                    place += 1
                }
                unsafe text[place] = Hex.digit(UInt8(truncatingIfNeeded: number >> (124 - 4 * digit)) & 15)
                place += 1
            }
            return place
        }
    }

    /// Reads exactly 36 characters, hexadecimal digits of either case with four hyphens in their places.
    package init?(text: String) {
        guard text.utf8.count == 36 else { return nil }
        var number: UInt128 = 0
        for (place, character) in text.utf8.enumerated() {
            switch place {
            case 8, 13, 18, 23: guard character == UInt8(ascii: "-") else { return nil }
            default:
                guard let digit = Hex.value(of: character) else { return nil }
                number = number << 4 | UInt128(digit)
            }
        }
        self.init(number)
    }

    /// The sixteen bytes as one number, the first the highest.
    private var number: UInt128 { UInt128(bigEndian: unsafe unsafeBitCast(uuid, to: UInt128.self)) }

    private init(_ number: UInt128) {
        self.init(uuid: unsafe unsafeBitCast(number.bigEndian, to: uuid_t.self))
    }
}
