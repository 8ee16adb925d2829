package import FoundationEssentials

/// Element types of Swift arrays: single bytes become `bytea`, all others a PostgreSQL array.
package protocol SQLElement: Sendable {
    static var listTypeOID: UInt32 { get }
    static func append(_ list: [Self], to buffer: inout [UInt8])
    static func list(from bytes: Span<UInt8>) throws(PostgresError) -> [Self]
}

/// A type with a matching array type, so that `any($1)` and `unnest($1)` take a list as one parameter.
package protocol SQLArrayElement: SQLElement, SQLValue {
    static var arrayTypeOID: UInt32 { get }
}

extension Array: SQLValue where Element: SQLElement {
    package static var typeOID: UInt32 { Element.listTypeOID }
    package func appendWireBytes(to buffer: inout [UInt8]) { Element.append(self, to: &buffer) }
    package init(wireBytes: Span<UInt8>) throws(PostgresError) { self = try Element.list(from: wireBytes) }

    package func wireBytes() -> [UInt8] {
        var buffer: [UInt8] = []
        Element.append(self, to: &buffer)
        return buffer
    }
}

extension UInt8: SQLElement {
    package static var listTypeOID: UInt32 { TypeOID.bytes }
    package static func append(_ list: [UInt8], to buffer: inout [UInt8]) { buffer += list }

    package static func list(from bytes: Span<UInt8>) throws(PostgresError) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
            for index in bytes.indices {
                unsafe buffer[index] = bytes[index]
            }
            count = bytes.count
        }
    }
}

extension String: SQLArrayElement {
    package static var arrayTypeOID: UInt32 { TypeOID.textArray }
}

extension Int: SQLArrayElement {
    package static var arrayTypeOID: UInt32 { TypeOID.int8Array }
}

extension UUID: SQLArrayElement {
    package static var arrayTypeOID: UInt32 { TypeOID.uuidArray }
}

extension Array: SQLElement, SQLArrayElement where Element == UInt8 {
    package static var arrayTypeOID: UInt32 { TypeOID.bytesArray }
}

/// The binary form of an array: dimensions, whether it holds NULLs, element type, then length and lower bound of each
/// dimension, then each element with its length (`array_send` in PostgreSQL's sources).
///
/// One dimension, no NULLs.
package extension SQLArrayElement {
    static var listTypeOID: UInt32 { arrayTypeOID }

    static func append(_ list: [Self], to buffer: inout [UInt8]) {
        Int32(list.isEmpty ? 0 : 1).appendBigEndian(to: &buffer)
        Int32(0).appendBigEndian(to: &buffer)
        typeOID.appendBigEndian(to: &buffer)
        guard !list.isEmpty else { return }
        Int32(truncatingIfNeeded: list.count).appendBigEndian(to: &buffer)
        Int32(1).appendBigEndian(to: &buffer)
        for element in list {
            let place = buffer.count
            Int32(0).appendBigEndian(to: &buffer)
            element.appendWireBytes(to: &buffer)
            write(length: buffer.count - place - 4, to: &buffer, at: place)
        }
    }

    /// The length of an element is known only after it is written.
    private static func write(length: Int, to buffer: inout [UInt8], at place: Int) {
        for index in 0..<4 {
            buffer[place + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * index))
        }
    }

    static func list(from bytes: Span<UInt8>) throws(PostgresError) -> [Self] {
        guard bytes.count >= 12 else { throw .unreadable }
        let dimensions = try Int32(bigEndianBytes: bytes.extracting(0..<4))
        guard try accepts(typeOID: UInt32(bigEndianBytes: bytes.extracting(8..<12))) else { throw .unreadable }
        if dimensions == 0 { return [] }
        guard dimensions == 1, bytes.count >= 20 else { throw .unreadable }
        return try elements(
            Int(Int32(bigEndianBytes: bytes.extracting(12..<16))), from: bytes.extracting(20..<bytes.count))
    }

    private static func elements(_ count: Int, from bytes: Span<UInt8>) throws(PostgresError) -> [Self] {
        var list: [Self] = []
        var place = 0
        for _ in 0..<count {
            guard bytes.count - place >= 4 else { throw .unreadable }
            let length = Int(try Int32(bigEndianBytes: bytes.extracting(place..<place + 4)))
            place += 4
            guard length >= 0, bytes.count - place >= length else { throw .unreadable }
            list.append(try Self(wireBytes: bytes.extracting(place..<place + length)))
            place += length
        }
        return list
    }
}
