import Cryptography
import Foundation

/// A value has one spelling, in base64url and, but for the case, in hexadecimal.
///
/// Foundation decodes the same.
enum Base64Target {
    static func read(_ input: [UInt8]) {
        hold(Base64URL.decode(Base64URL.encode(input)) == input, "encoded bytes decode to themselves")
        let text = String(decoding: input, as: UTF8.self)
        hold(Base64URL.decode(text) == Base64URL.decode(Array(text.utf8).span), "text and bytes decode alike")
        if let bytes = Base64URL.decode(text) {
            hold(Base64URL.encode(bytes).utf8.elementsEqual(text.utf8), "a value has one spelling")
            hold(Array(Data(base64Encoded: padded(text)) ?? Data()) == bytes, "Foundation decodes the same")
        }
        if let bytes = Hex.decode(text) {
            hold(Hex.encode(bytes).utf8.elementsEqual(text.lowercased().utf8), "hexadecimal is read as written")
        }
    }

    private static func padded(_ text: String) -> String {
        let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        return standard + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }
}
