extension JSON {
    /// The document without white space, with only the escapes that RFC 8259 §7 requires.
    package func bytes() -> [UInt8] {
        var bytes: [UInt8] = []
        // Enough for most answers, so that they don't move while growing.
        bytes.reserveCapacity(1_024)
        write(to: &bytes)
        return bytes
    }

    /// The same as a text.
    package var text: String {
        String(decoding: bytes(), as: UTF8.self)
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: value ? "true".utf8 : "false".utf8)
        case .integer(let value): bytes.append(contentsOf: String(value).utf8)
        case .double(let value): Self.write(value, to: &bytes)
        case .string(let value): Self.write(value, to: &bytes)
        case .array(let elements): Self.write(elements, to: &bytes)
        case .object(let object): Self.write(object, to: &bytes)
        }
    }

    /// JSON has no infinities and no "not a number"; they are written as `null`.
    private static func write(_ number: Double, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: number.isFinite ? number.description.utf8 : "null".utf8)
    }

    private static func write(_ elements: [JSON], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            element.write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private static func write(_ object: JSONObject, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        // A span lends its elements; an array's iterator would retain and release each text.
        let members = object.members.span
        for index in members.indices {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(members[index].name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            members[index].value.write(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        let isWritten = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe writePlain($0, to: &bytes) }
        if isWritten != true {
            for byte in text.utf8 { writeEscaped(byte, to: &bytes) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a text in one piece, if possible; false, with nothing written, if it needs escapes.
    private static func writePlain(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) -> Bool {
        guard unsafe PlainText.end(Span(_unsafeElements: text)) == text.count else { return false }
        unsafe bytes.append(contentsOf: text)
        return true
    }

    private static func writeEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""): bytes.append(contentsOf: #"\""#.utf8)
        case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
        case 0x08: bytes.append(contentsOf: #"\b"#.utf8)
        case 0x0C: bytes.append(contentsOf: #"\f"#.utf8)
        case 0x0A: bytes.append(contentsOf: #"\n"#.utf8)
        case 0x0D: bytes.append(contentsOf: #"\r"#.utf8)
        case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
        case 0..<0x20:
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: #"\u00"#.utf8)
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }
}
