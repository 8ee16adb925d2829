package import FoundationEssentials

extension UUID {
    /// An id that sorts by time (RFC 9562 §5.7): 48 bits of Unix milliseconds, then 74 random bits.
    package static func v7(at date: Date, random: RandomBytes) -> UUID { v7(at: date, noise: random(noiseLength)) }

    /// How many random bytes an id takes.
    package static let noiseLength = 10

    /// The same from random bytes at hand, ``noiseLength`` of them.
    package static func v7(at date: Date, noise: some Collection<UInt8>) -> UUID {
        let milliseconds = UInt64(min(max(date.timeIntervalSince1970 * 1000, 0), Double(1 << 48 - 1)))
        let noise = noise.reduce(0) { $0 << 8 | UInt128($1) }
        let marked: UInt128 = 0xF << 76 | 0b11 << 62
        let (version, variant): (UInt128, UInt128) = (7 << 76, 0b10 << 62)
        return UUID(UInt128(milliseconds) << 80 | version | variant | noise & ~marked)
    }

    /// The sixteen bytes in order.
    package var bytes: [UInt8] {
        let u = uuid
        return [u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15]
    }

    /// From sixteen bytes.
    package init(bytes: some Collection<UInt8>) {
        precondition(bytes.count == 16)
        self.init(bytes.reduce(0) { $0 << 8 | UInt128($1) })
    }

    /// Appends the sixteen bytes.
    package func append(to buffer: inout [UInt8]) {
        unsafe withUnsafeBytes(of: uuid) { unsafe buffer.append(contentsOf: $0) }
    }

    /// The 36 characters in lower case.
    package var text: String {
        unsafe String(unsafeUninitializedCapacity: Self.textLength) { buffer in
            var text = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
            write(to: &text)
            return unsafe text.finalize(for: buffer)
        }
    }

    /// Appends the 36 characters of ``text``.
    package func appendText(to buffer: inout [UInt8]) {
        buffer.append(addingCapacity: Self.textLength) { text in write(to: &text) }
    }

    /// In characters, which are as many bytes.
    package static let textLength = 36

    private func write(to text: inout OutputSpan<UInt8>) {
        unsafe withUnsafeBytes(of: uuid) { bytes in
            for index in 0..<16 {
                if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
                let byte = unsafe bytes[index]
                text.append(Hex.digit(byte >> 4))
                text.append(Hex.digit(byte & 15))
            }
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

    /// From the sixteen bytes as one number, the first the highest.
    private init(_ number: UInt128) {
        self.init(uuid: unsafe unsafeBitCast(number.bigEndian, to: uuid_t.self))
    }
}
