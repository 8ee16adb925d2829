import Cryptography
import JSON

/// Parses and assembles tokens by hand, for forms that no mint makes.
enum Tokens {
    /// The JSON object in a part of a compact token.
    static func object(_ token: String, part: Int) -> JSONObject? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.indices.contains(part), let bytes = Base64URL.decode(parts[part]) else { return nil }
        return (try? JSON(parsing: bytes))?.object
    }

    /// A token with another payload; its signature no longer holds.
    static func replacingPayload(of token: String, by bytes: [UInt8]) -> String {
        replacing(1, of: token, by: Base64URL.encode(bytes))
    }

    static func replacing(_ part: Int, of token: String, by text: String) -> String {
        var parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        parts[part] = text
        return parts.joined(separator: ".")
    }
}
