import FoundationEssentials

/// Base64 with padding (RFC 4648 §4), as MIME wants it.
enum Base64Text {
    static func encode(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
    }
}
