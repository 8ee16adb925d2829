/// `text`; also read from `varchar`, `char(n)`, `name` and enums.
///
/// PostgreSQL refuses text with a NUL.
extension String: SQLValue {
    package static var typeOID: UInt32 { TypeOID.text }

    package static func accepts(typeOID: UInt32) -> Bool {
        switch typeOID {
        case TypeOID.text, TypeOID.limitedCharacters, TypeOID.paddedCharacters, TypeOID.name, TypeOID.unknown: true
        default: typeOID >= TypeOID.firstOfUsers
        }
    }

    package func wireBytes() -> [UInt8] { [UInt8](utf8) }
    package func appendWireBytes(to buffer: inout [UInt8]) { buffer.append(contentsOf: utf8) }

    package init(wireBytes: Span<UInt8>) throws(PostgresError) {
        do {
            self.init(copying: try UTF8Span(validating: wireBytes))
        } catch {
            throw .unreadable
        }
    }
}

/// The text of a JSON document, stored as `jsonb`.
///
/// PostgreSQL returns it with its own spacing and order of names.
package struct JSONText: SQLValue, Hashable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static var typeOID: UInt32 { TypeOID.json }

    /// The binary form is a version number, 1, and the text.
    package func wireBytes() -> [UInt8] { [1] + text.utf8 }

    package func appendWireBytes(to buffer: inout [UInt8]) {
        buffer.append(1)
        buffer.append(contentsOf: text.utf8)
    }

    package init(wireBytes: Span<UInt8>) throws(PostgresError) {
        guard wireBytes.count > 1, wireBytes[0] == 1 else { throw .unreadable }
        text = try String(wireBytes: wireBytes.extracting(droppingFirst: 1))
    }
}
