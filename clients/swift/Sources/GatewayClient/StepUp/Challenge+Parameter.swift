extension Challenge {
    static let space = UInt8(ascii: " ")
    private static let quote = UInt8(ascii: "\"")

    /// `name=value`, with spaces around the sign as RFC 9110 section 5.6.3 tolerates them.
    static func parameter(_ bytes: ArraySlice<UInt8>) -> (name: String, value: String)? {
        guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let (name, value) = (bytes[..<sign].trimmed, bytes[(sign + 1)...].trimmed)
        guard isToken(name), let read = isToken(value) ? text(value) : unquoted(value) else { return nil }
        return (text(name).lowercased(), read)
    }

    /// The text of a quoted string (RFC 9110 section 5.6.4).
    private static func unquoted(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.count >= 2, bytes.first == quote, bytes.last == quote else { return nil }
        var (read, isEscaped) = ([UInt8](), false)
        for byte in bytes.dropFirst().dropLast() {
            guard byte == UInt8(ascii: "\t") || (byte >= space && byte != 0x7f) else { return nil }
            if !isEscaped, byte == quote { return nil }
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            if !isEscaped { read.append(byte) }
        }
        return isEscaped ? nil : text(read[...])
    }

    static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool { !bytes.isEmpty && bytes.allSatisfy(isTokenByte) }

    /// `tchar` of RFC 9110 section 5.6.2.
    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension ArraySlice<UInt8> {
    /// Without spaces and tabs around it.
    var trimmed: ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let rest = drop(while: isBlank)
        return rest.lastIndex { !isBlank($0) }.map { rest[...$0] } ?? []
    }
}
