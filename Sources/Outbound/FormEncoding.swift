/// Percent-encodes everything but the unreserved characters (RFC 3986 §2.3), for queries and forms.
///
/// `+` and space are encoded too: servers disagree about them, and tokens contain both `+` and `|`.
package enum FormEncoding {
    package static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        append(text, to: &encoded)
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Encodes fields in their order: `a=1&b=2`.
    package static func encode(_ fields: [(String, String)]) -> String {
        var encoded: [UInt8] = []
        for (name, value) in fields {
            if !encoded.isEmpty { encoded.append(UInt8(ascii: "&")) }
            append(name, to: &encoded)
            encoded.append(UInt8(ascii: "="))
            append(value, to: &encoded)
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func append(_ text: String, to encoded: inout [UInt8]) {
        for byte in text.utf8 {
            if isUnreserved(byte) {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded.append(digits[Int(byte >> 4)])
                encoded.append(digits[Int(byte & 0x0F)])
            }
        }
    }

    /// Appends `fields` to the query of `url`, or adds a query if there is none.
    package static func appending(_ fields: [(String, String)], to url: String) -> String {
        guard !fields.isEmpty else { return url }
        let separator =
            if !url.utf8.contains(UInt8(ascii: "?")) {
                "?"
            } else {
                url.hasSuffix("?") || url.hasSuffix("&") ? "" : "&"
            }
        return url + separator + encode(fields)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
