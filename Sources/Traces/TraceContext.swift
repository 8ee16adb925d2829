/// The id of a trace: 128 bits, never zero.
package struct TraceID: Sendable, Hashable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        (self.high, self.low) = (high, low)
    }

    /// 32 lower-case hexadecimal digits.
    package var text: String { HexNumber.text(high, low) }
}

/// A caller's `traceparent` (W3C Trace Context): its trace, its span and its sampling decision.
package struct TraceContext: Sendable, Equatable {
    package let traceID: TraceID
    package let span: UInt64
    package let isSampled: Bool

    /// The length of version 00; later versions may append more after a hyphen.
    private static let length = 55
    /// No known version is longer, and the rest of a later one is ignored.
    private static let longest = 256

    package init(traceID: TraceID, span: UInt64, isSampled: Bool) {
        (self.traceID, self.span, self.isSampled) = (traceID, span, isSampled)
    }

    /// Reads `00-<32 digits>-<16 digits>-<2 digits>`; nil for every other form, and for ids of zeros.
    package init?(_ text: String) {
        let bytes = text.utf8Span.span
        guard (Self.length...Self.longest).contains(bytes.count), Self.hasHyphens(bytes),
            let version = HexNumber.read(bytes, 0..<2), version != 0xFF,
            version != 0 || bytes.count == Self.length,
            let high = HexNumber.read(bytes, 3..<19), let low = HexNumber.read(bytes, 19..<35), high | low != 0,
            let span = HexNumber.read(bytes, 36..<52), span != 0,
            let flags = HexNumber.read(bytes, 53..<55)
        else { return nil }
        self.init(traceID: TraceID(high: high, low: low), span: span, isSampled: flags & 1 == 1)
    }

    private static func hasHyphens(_ bytes: Span<UInt8>) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return bytes[2] == hyphen && bytes[35] == hyphen && bytes[52] == hyphen
            && (bytes.count == length || bytes[length] == hyphen)
    }

    /// The header for a service that is called in this context.
    package var header: String {
        "00-\(traceID.text)-\(HexNumber.text(span))-0\(isSampled ? 1 : 0)"
    }
}
