extension JSONParser {
    /// A number by the grammar of RFC 8259 §6.
    mutating func number(_ bytes: Span<UInt8>) throws(JSONError) -> JSON {
        let start = position
        var isInteger = true
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        try integerPart(bytes)
        if next(bytes) == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            try digits(bytes)
        }
        if next(bytes) == UInt8(ascii: "e") || next(bytes) == UInt8(ascii: "E") {
            isInteger = false
            position += 1
            if next(bytes) == UInt8(ascii: "+") || next(bytes) == UInt8(ascii: "-") { position += 1 }
            try digits(bytes)
        }
        guard position - start <= limits.numberLength else {
            throw JSONError(problem: .numberTooLong, offset: start)
        }
        let spelling = bytes.extracting(start..<position)
        if isInteger, let value = integer(spelling) { return .integer(value) }
        return try double(spelling, at: start)
    }

    private func next(_ bytes: Span<UInt8>) -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    /// `0`, or digits that do not begin with it.
    private mutating func integerPart(_ bytes: Span<UInt8>) throws(JSONError) {
        let first = next(bytes)
        let start = position
        try digits(bytes)
        if first == UInt8(ascii: "0"), position - start > 1 {
            throw JSONError(problem: .numberMalformed, offset: start)
        }
    }

    private mutating func digits(_ bytes: Span<UInt8>) throws(JSONError) {
        let start = position
        while let byte = next(bytes), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            position += 1
        }
        guard position > start else {
            throw failure(position < bytes.count ? .numberMalformed : .unexpectedEnd)
        }
    }

    /// `nil` beyond 64 bits.
    private func integer(_ spelling: Span<UInt8>) -> Int? {
        let isNegative = spelling[0] == UInt8(ascii: "-")
        var value = 0
        for index in (isNegative ? 1 : 0)..<spelling.count {
            let digit = Int(spelling[index] - UInt8(ascii: "0"))
            let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
            // Counted downwards from zero, because the least integer has no positive counterpart.
            let (difference, passed) = product.subtractingReportingOverflow(digit)
            if overflowed || passed { return nil }
            value = difference
        }
        if isNegative { return value }
        return value == .min ? nil : -value
    }

    private func double(_ spelling: Span<UInt8>, at start: Int) throws(JSONError) -> JSON {
        var text = ""
        for index in spelling.indices {
            text.unicodeScalars.append(Unicode.Scalar(spelling[index]))
        }
        guard let value = Double(text), value.isFinite else {
            throw JSONError(problem: .numberOutOfRange, offset: start)
        }
        return .double(value)
    }
}
