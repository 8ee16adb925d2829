extension FixedWidthInteger {
    /// Appends the bytes, most significant first.
    func appendBigEndian(to buffer: inout [UInt8]) {
        var shift = Self.bitWidth
        while shift > 0 {
            shift -= 8
            buffer.append(UInt8(truncatingIfNeeded: self >> Self(shift)))
        }
    }

    /// Reads exactly as many bytes as the type has, most significant first.
    init(bigEndianBytes bytes: Span<UInt8>) throws(PostgresError) {
        guard bytes.count == Self.bitWidth / 8 else { throw .unreadable }
        var value: Self = 0
        for index in bytes.indices {
            value = value << 8 | Self(truncatingIfNeeded: bytes[index])
        }
        self = value
    }

    func bigEndianArray() -> [UInt8] {
        var buffer: [UInt8] = []
        buffer.reserveCapacity(Self.bitWidth / 8)
        appendBigEndian(to: &buffer)
        return buffer
    }
}

extension Bool: SQLValue {
    package static var typeOID: UInt32 { TypeOID.bool }
    package func wireBytes() -> [UInt8] { [self ? 1 : 0] }
    package func appendWireBytes(to buffer: inout [UInt8]) { buffer.append(self ? 1 : 0) }

    package init(wireBytes: Span<UInt8>) throws(PostgresError) {
        guard wireBytes.count == 1, wireBytes[0] < 2 else { throw .unreadable }
        self = wireBytes[0] == 1
    }
}

/// `bigint`; columns of the smaller integer types are read too.
extension Int: SQLValue {
    package static var typeOID: UInt32 { TypeOID.int8 }

    package static func accepts(typeOID: UInt32) -> Bool {
        typeOID == TypeOID.int8 || typeOID == TypeOID.int4 || typeOID == TypeOID.int2
    }

    package func wireBytes() -> [UInt8] { bigEndianArray() }
    package func appendWireBytes(to buffer: inout [UInt8]) { appendBigEndian(to: &buffer) }

    package init(wireBytes: Span<UInt8>) throws(PostgresError) {
        switch wireBytes.count {
        case 8: try self.init(bigEndianBytes: wireBytes)
        case 4: self.init(try Int32(bigEndianBytes: wireBytes))
        case 2: self.init(try Int16(bigEndianBytes: wireBytes))
        default: throw .unreadable
        }
    }
}

extension Int32: SQLValue {
    package static var typeOID: UInt32 { TypeOID.int4 }
    package static func accepts(typeOID: UInt32) -> Bool { typeOID == TypeOID.int4 || typeOID == TypeOID.int2 }
    package func wireBytes() -> [UInt8] { bigEndianArray() }
    package func appendWireBytes(to buffer: inout [UInt8]) { appendBigEndian(to: &buffer) }

    package init(wireBytes: Span<UInt8>) throws(PostgresError) {
        guard wireBytes.count == 2 else {
            try self.init(bigEndianBytes: wireBytes)
            return
        }
        self.init(try Int16(bigEndianBytes: wireBytes))
    }
}

extension Int16: SQLValue {
    package static var typeOID: UInt32 { TypeOID.int2 }
    package func wireBytes() -> [UInt8] { bigEndianArray() }
    package func appendWireBytes(to buffer: inout [UInt8]) { appendBigEndian(to: &buffer) }
    package init(wireBytes: Span<UInt8>) throws(PostgresError) { try self.init(bigEndianBytes: wireBytes) }
}

extension Double: SQLValue {
    package static var typeOID: UInt32 { TypeOID.double }
    package func wireBytes() -> [UInt8] { bitPattern.bigEndianArray() }
    package func appendWireBytes(to buffer: inout [UInt8]) { bitPattern.appendBigEndian(to: &buffer) }

    package init(wireBytes: Span<UInt8>) throws(PostgresError) {
        self.init(bitPattern: try UInt64(bigEndianBytes: wireBytes))
    }
}
