import FoundationEssentials

/// Base64 with padding (RFC 4648 §4), as MIME and Amazon want it.
enum Base64Text {
    static func encode(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
    }

    /// Leaves out what isn't of the alphabet, as MIME says; nil where nothing is left.
    static func decode(_ text: String) -> [UInt8]? {
        let bytes = Data(base64Encoded: text, options: .ignoreUnknownCharacters).map { Array($0) }
        return bytes?.isEmpty == false ? bytes : nil
    }
}
