package import FoundationEssentials
package import Logging
package import Traces

/// One log line in either format.
package struct LogLine {
    package private(set) var bytes: [UInt8] = []
    private let format: LogFormat

    /// Starts a line with its time, level and message.
    package init(_ format: LogFormat, at date: Date, level: Logger.Level, label: String, message: String) {
        self.format = format
        bytes.reserveCapacity(256)
        switch format {
        case .json:
            raw("{\"time\":\"")
            RFC3339.append(date, to: &bytes)
            raw("\",\"level\":\"")
            raw(level.rawValue)
            raw("\"")
            field("logger", label)
            field("message", message)
        case .text:
            RFC3339.append(date, to: &bytes)
            raw(" \(level.rawValue.uppercased()) ")
            plain(label)
            raw(": ")
            plain(message)
        }
    }

    /// Adds a text.
    package mutating func field(_ name: String, _ value: String) {
        startField(name)
        switch format {
        case .json: quoted(value)
        case .text: value.utf8.contains(where: Self.needsQuotes) || value.isEmpty ? quoted(value) : raw(value)
        }
    }

    /// Adds a number.
    package mutating func field(_ name: String, _ value: Int) {
        startField(name)
        raw(String(value))
    }

    /// Adds the id of a trace, without a text in between.
    package mutating func field(_ name: String, _ id: TraceID) {
        startField(name)
        if format == .json { raw("\"") }
        HexNumber.append(id.high, to: &bytes)
        HexNumber.append(id.low, to: &bytes)
        if format == .json { raw("\"") }
    }

    /// Adds a metadata value, nested ones as JSON in either format.
    mutating func field(_ name: String, _ value: Logger.MetadataValue) {
        switch value {
        case .string, .stringConvertible: field(name, Self.text(name, value))
        case .array, .dictionary:
            startField(name)
            nested(name, value)
        }
    }

    /// Ends the line.
    package mutating func finish() {
        if format == .json { raw("}") }
    }

    private mutating func nested(_ name: String, _ value: Logger.MetadataValue) {
        switch value {
        case .string, .stringConvertible: quoted(Self.text(name, value))
        case .array(let values):
            raw("[")
            for (index, value) in values.enumerated() {
                if index > 0 { raw(",") }
                nested(name, value)
            }
            raw("]")
        case .dictionary(let members):
            raw("{")
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { raw(",") }
                quoted(member.key)
                raw(":")
                nested(member.key, member.value)
            }
            raw("}")
        }
    }

    private static func text(_ name: String, _ value: Logger.MetadataValue) -> String {
        Redaction.isTelling(name) ? Redaction.cover : Redaction.covered(value.description)
    }

    private mutating func startField(_ name: String) {
        switch format {
        case .json:
            raw(",")
            quoted(name)
            raw(":")
        case .text:
            raw(" ")
            plain(name)
            raw("=")
        }
    }

    private mutating func raw(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends a text with its control characters replaced, so that it stays on its line.
    private mutating func plain(_ text: String) {
        if Self.isHarmless(text.utf8Span.span) { return raw(text) }
        for byte in text.utf8 { bytes.append(byte < 0x20 || byte == 0x7F ? 0x20 : byte) }
    }

    /// Appends a JSON string.
    private mutating func quoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        defer { bytes.append(UInt8(ascii: "\"")) }
        if Self.isHarmless(text.utf8Span.span) { return raw(text) }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0A: raw("\\n")
            case 0x00..<0x20, 0x7F:
                raw("\\u00")
                bytes.append(Self.hex(byte >> 4))
                bytes.append(Self.hex(byte & 15))
            default: bytes.append(byte)
            }
        }
    }

    /// Whether the text needs no escaping in either format.
    private static func isHarmless(_ text: Span<UInt8>) -> Bool {
        for index in text.indices {
            let byte = text[index]
            if byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
        }
        return true
    }

    private static func hex(_ digit: UInt8) -> UInt8 {
        digit < 10 ? 0x30 + digit : 0x57 + digit
    }

    private static func needsQuotes(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "=")
    }
}
