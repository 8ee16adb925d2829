import Cryptography
import FoundationEssentials
import JSON

/// The few forms of DER (X.690) that the simulator writes itself.
enum DER {
    static func sequence(_ parts: [UInt8]...) -> [UInt8] { element(0x30, Array(parts.joined())) }
    static func octetString(_ content: [UInt8]) -> [UInt8] { element(0x04, content) }
    static func bitString(_ content: [UInt8]) -> [UInt8] { element(0x03, [0] + content) }
    static func object(_ content: [UInt8]) -> [UInt8] { element(0x06, content) }
    static let null: [UInt8] = [0x05, 0x00]

    /// A positive integer from its big-endian bytes.
    static func integer(_ bytes: [UInt8]) -> [UInt8] {
        let isNegative = (bytes.first ?? 0) >= 0x80
        return element(0x02, isNegative || bytes.isEmpty ? [0] + bytes : bytes)
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag] + length(content.count) + content
    }

    private static func length(_ count: Int) -> [UInt8] {
        switch count {
        case ..<0x80: [UInt8(count)]
        case ..<0x100: [0x81, UInt8(count)]
        default: [0x82, UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
        }
    }
}

extension SigningKey {
    /// The public half as the text that a faulty verifier might use as an HMAC key (RFC 7468).
    var publicPEM: String {
        let modulus = Base64URL.decode(publicParameters["n"]?.string ?? "") ?? []
        let exponent = Base64URL.decode(publicParameters["e"]?.string ?? "") ?? []
        let rsaEncryption: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
        let key = DER.sequence(DER.integer(modulus), DER.integer(exponent))
        let info = DER.sequence(DER.sequence(DER.object(rsaEncryption), DER.null), DER.bitString(key))
        let lines = Data(info).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN PUBLIC KEY-----\n\(lines)\n-----END PUBLIC KEY-----\n"
    }
}
