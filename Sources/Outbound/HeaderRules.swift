/// The rules for the headers of a request.
///
/// Unsuitable headers are refused, never repaired: a line break in a value would be a second header, or a second
/// request.
enum HeaderRules {
    static func check(_ headers: [(name: String, value: String)]) throws(TransferError) {
        for (name, value) in headers {
            guard !name.isEmpty, name.utf8.allSatisfy({ isToken($0) }) else { throw .invalidRequest("header name") }
            guard !reserved.contains(ASCII.lowercased(name.utf8)) else { throw .invalidRequest("header \(name)") }
            guard isValue(value) else { throw .invalidRequest("header value of \(name)") }
        }
    }

    /// Visible ASCII and inner spaces (stricter than RFC 9110 §5.5), not empty, no longer than 8 KiB.
    static func isValue(_ value: String) -> Bool {
        guard (1...8192).contains(value.utf8.count), value.utf8.first != 0x20, value.utf8.last != 0x20 else {
            return false
        }
        return value.utf8.allSatisfy { 0x20 <= $0 && $0 <= 0x7E }
    }

    /// The client alone sets framing and routing.
    private static let reserved: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "expect", "te", "upgrade", "trailer",
        "proxy-authorization", "cookie",
    ]

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
