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
    package var bytes: [UInt8] {
        let u = uuid
        return [u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15]
    }

    /// From sixteen bytes.
    package init(bytes: ArraySlice<UInt8>) {
        precondition(bytes.count == 16)
        self.init(bytes.reduce(0) { $0 << 8 | UInt128($1) })
    }

    /// From sixteen bytes.
    package init(bytes: [UInt8]) { self.init(bytes: bytes[...]) }

    /// Appends the sixteen bytes.
    package func append(to buffer: inout [UInt8]) {
        unsafe withUnsafeBytes(of: uuid) { unsafe buffer.append(contentsOf: $0) }
    }

    /// From the sixteen bytes as one number, the first byte highest.
    private init(_ number: UInt128) {
        self.init(uuid: unsafe unsafeBitCast(number.bigEndian, to: uuid_t.self))
    }
}
