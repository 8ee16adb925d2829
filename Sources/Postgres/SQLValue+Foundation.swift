package import FoundationEssentials

extension UUID: SQLValue {
    package static var typeOID: UInt32 { TypeOID.uuid }

    package func wireBytes() -> [UInt8] {
        let u = uuid
        return [
            u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15,
        ]
    }

    package func appendWireBytes(to buffer: inout [UInt8]) {
        unsafe withUnsafeBytes(of: uuid) { unsafe buffer.append(contentsOf: $0) }
    }

    package init(wireBytes b: Span<UInt8>) throws(PostgresError) {
        guard b.count == 16 else { throw .unreadable }
        self.init(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
            ))
    }
}

/// `timestamptz`: whole microseconds since the start of the year 2000, UTC.
///
/// Times outside PostgreSQL's range are stored as `infinity` or `-infinity` and read back as the distant future or
/// past.
extension Date: SQLValue {
    /// Seconds from 2000-01-01 to Foundation's reference date, 2001-01-01: the year 2000 had 366 days.
    private static let secondsBetweenEpochs = 31_622_400.0

    package static var typeOID: UInt32 { TypeOID.timestamp }

    private var microseconds: Int64 {
        let value = ((timeIntervalSinceReferenceDate + Self.secondsBetweenEpochs) * 1_000_000).rounded()
        // 294276-12-31 and -4713-11-24 (4714 BC), the last and first day of PostgreSQL.
        if value >= 9_223_371_331_200_000_000 { return .max }
        if value < -211_813_488_000_000_000 { return .min }
        return Int64(value)
    }

    package func wireBytes() -> [UInt8] { microseconds.bigEndianArray() }
    package func appendWireBytes(to buffer: inout [UInt8]) { microseconds.appendBigEndian(to: &buffer) }

    package init(wireBytes: Span<UInt8>) throws(PostgresError) {
        let value = try Int64(bigEndianBytes: wireBytes)
        switch value {
        case .max: self = .distantFuture
        case .min: self = .distantPast
        default: self.init(timeIntervalSinceReferenceDate: Double(value) / 1_000_000 - Self.secondsBetweenEpochs)
        }
    }
}
