extension JSONParser {
    /// A text, from its opening quote to past its closing one.
    ///
    /// A text without escapes, the common case, is validated and copied in one piece.
    mutating func string(_ bytes: Span<UInt8>) throws(JSONError) -> String {
        let start = position + 1
        position = PlainText.end(bytes, from: start)
        let byte = try current(bytes)
        if byte == UInt8(ascii: "\\") { return try escapedString(bytes, from: start) }
        guard byte == UInt8(ascii: "\"") else { throw failure(.controlCharacter) }
        let text = try text(bytes.extracting(start..<position), at: start)
        position += 1
        return text
    }

    private func text(_ bytes: Span<UInt8>, at start: Int) throws(JSONError) -> String {
        do throws(UTF8.ValidationError) {
            return String(copying: try UTF8Span(validating: bytes))
        } catch {
            throw JSONError(problem: .invalidUTF8, offset: start + error.byteOffsets.lowerBound)
        }
    }

    /// Continues from the first backslash with a separate buffer.
    private mutating func escapedString(_ bytes: Span<UInt8>, from start: Int) throws(JSONError) -> String {
        var buffer: [UInt8] = []
        buffer.reserveCapacity(2 * (position - start) + 32)
        for index in start..<position {
            buffer.append(bytes[index])
        }
        while true {
            let byte = try current(bytes)
            if byte == UInt8(ascii: "\"") { break }
            guard byte >= 0x20 else { throw failure(.controlCharacter) }
            position += 1
            if byte == UInt8(ascii: "\\") {
                try escape(bytes, into: &buffer)
            } else {
                buffer.append(byte)
            }
        }
        let text = try text(buffer.span, at: start)
        position += 1
        return text
    }

    private mutating func escape(_ bytes: Span<UInt8>, into buffer: inout [UInt8]) throws(JSONError) {
        let byte = try current(bytes)
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): buffer.append(byte)
        case UInt8(ascii: "b"): buffer.append(0x08)
        case UInt8(ascii: "f"): buffer.append(0x0C)
        case UInt8(ascii: "n"): buffer.append(0x0A)
        case UInt8(ascii: "r"): buffer.append(0x0D)
        case UInt8(ascii: "t"): buffer.append(0x09)
        case UInt8(ascii: "u"):
            position += 1
            buffer.append(contentsOf: String(try scalar(bytes)).utf8)
            return
        default: throw failure(.escapeMalformed)
        }
        position += 1
    }

    /// The character of `\uXXXX`, or of two of them when the first is a high surrogate.
    private mutating func scalar(_ bytes: Span<UInt8>) throws(JSONError) -> Unicode.Scalar {
        let first = try codeUnit(bytes)
        if first == 0, !limits.allowsNUL { throw failure(.forbiddenNUL) }
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(first), position + 1 < bytes.count,
            bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u")
        else { throw failure(.loneSurrogate) }
        position += 2
        let second = try codeUnit(bytes)
        guard UTF16.isTrailSurrogate(second),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        else { throw failure(.loneSurrogate) }
        return scalar
    }

    private mutating func codeUnit(_ bytes: Span<UInt8>) throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            let byte = try current(bytes)
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw failure(.escapeMalformed)
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}
