/// A Swift value with a PostgreSQL binary form.
///
/// An enum with such a raw value conforms by declaring `: SQLValue`.
package protocol SQLValue: Sendable {
    /// The parameter type that the server gets.
    static var typeOID: UInt32 { get }

    /// Whether a column of this type can be read as `Self`.
    static func accepts(typeOID: UInt32) -> Bool

    /// The binary form of the value.
    func wireBytes() -> [UInt8]

    /// Appends the binary form; implement it in addition to ``wireBytes()`` if it saves an array.
    func appendWireBytes(to buffer: inout [UInt8])

    /// Reads the binary form.
    ///
    /// - Throws: ``PostgresError/decoding(column:)`` with any text as column; the row sets the right name.
    init(wireBytes: Span<UInt8>) throws(PostgresError)
}

package extension SQLValue {
    static func accepts(typeOID: UInt32) -> Bool { typeOID == Self.typeOID }

    func appendWireBytes(to buffer: inout [UInt8]) {
        buffer += wireBytes()
    }
}

package extension SQLValue where Self: RawRepresentable, RawValue: SQLValue {
    static var typeOID: UInt32 { RawValue.typeOID }
    static func accepts(typeOID: UInt32) -> Bool { RawValue.accepts(typeOID: typeOID) }
    func wireBytes() -> [UInt8] { rawValue.wireBytes() }
    func appendWireBytes(to buffer: inout [UInt8]) { rawValue.appendWireBytes(to: &buffer) }

    init(wireBytes: Span<UInt8>) throws(PostgresError) {
        guard let value = Self(rawValue: try RawValue(wireBytes: wireBytes)) else { throw .unreadable }
        self = value
    }
}

extension PostgresError {
    /// The error of a value with invalid bytes; ``Row`` replaces the name.
    static var unreadable: PostgresError { .decoding(column: "?") }
}

/// The object ids of built-in types, from PostgreSQL's `pg_type.dat`.
enum TypeOID {
    static let bool: UInt32 = 16
    static let bytes: UInt32 = 17
    static let name: UInt32 = 19
    static let int8: UInt32 = 20
    static let int2: UInt32 = 21
    static let int4: UInt32 = 23
    static let text: UInt32 = 25
    static let double: UInt32 = 701
    static let unknown: UInt32 = 705
    static let bytesArray: UInt32 = 1001
    static let textArray: UInt32 = 1009
    static let int8Array: UInt32 = 1016
    static let paddedCharacters: UInt32 = 1042
    static let limitedCharacters: UInt32 = 1043
    static let timestamp: UInt32 = 1184
    static let uuid: UInt32 = 2950
    static let uuidArray: UInt32 = 2951
    static let json: UInt32 = 3802
    /// Types above this number are user-defined; enums among them travel as text.
    static let firstOfUsers: UInt32 = 16_384
}
