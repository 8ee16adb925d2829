package import FoundationEssentials

extension UUID {
    /// An id that sorts by time (RFC 9562 §5.7): 48 bits of Unix milliseconds, then 74 random bits.
    package static func v7(at date: Date, random: RandomBytes) -> UUID {
        let milliseconds = UInt64(min(max(date.timeIntervalSince1970 * 1000, 0), Double(1 << 48 - 1)))
        let time = (0..<6).map { UInt8(truncatingIfNeeded: milliseconds >> (40 - 8 * UInt64($0))) }
        let noise = random(10)
        return UUID(
            uuid: (
                time[0], time[1], time[2], time[3], time[4], time[5],
                noise[0] & 0x0F | 0x70, noise[1], noise[2] & 0x3F | 0x80, noise[3],
                noise[4], noise[5], noise[6], noise[7], noise[8], noise[9]
            ))
    }

    /// The sixteen bytes in order.
    var bytes: [UInt8] {
        let u = uuid
        return [u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15]
    }

    /// The 36 characters in lower case.
    package var text: String {
        let text = [UInt8](capacity: 36) { text in
            for (index, byte) in bytes.enumerated() {
                if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
                text.append(Hex.digit(byte >> 4))
                text.append(Hex.digit(byte & 15))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads exactly 36 characters, hexadecimal digits of either case with four hyphens in their places.
    package init?(text: String) {
        let characters = Array(text.utf8)
        guard characters.count == 36 else { return nil }
        let hyphens = [8, 13, 18, 23]
        guard hyphens.allSatisfy({ characters[$0] == UInt8(ascii: "-") }) else { return nil }
        let digits = characters.indices.filter { !hyphens.contains($0) }.map { characters[$0] }
        guard let b = Hex.decode(String(decoding: digits, as: UTF8.self)), b.count == 16 else { return nil }
        self.init(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
            ))
    }
}
