import FoundationEssentials

/// Base64 with padding (RFC 4648 §4), as MIME and Amazon require.
package enum Base64Text {
    package static func encode(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
    }

    /// Skips bytes outside the alphabet, as MIME requires; nil if nothing remains.
    package static func decode(_ text: String) -> [UInt8]? {
        let bytes = Data(base64Encoded: text, options: .ignoreUnknownCharacters).map { Array($0) }
        return bytes?.isEmpty == false ? bytes : nil
    }
}
