import Cryptography
import Foundation
import JSON

/// The secrets of a run, and the search for them.
struct SecretScan {
    private var whole: [String: String] = [:]
    private var words: [String: String] = [:]

    /// A long secret, which must not appear anywhere in any encoding.
    mutating func add(_ name: String, _ secret: String?) {
        guard let secret, secret.utf8.count >= 8 else { return }
        whole[name] = secret
        let parts = secret.split(separator: ".")
        // A token without its signature is still a secret, and so is its signature (RFC 7515 §7.1).
        if parts.count == 3, secret.hasPrefix("eyJ") {
            whole["\(name), signature"] = String(parts[2])
            whole["\(name), claims"] = String(parts[1])
        }
    }

    /// A short secret, such as six digits, which must not appear as a separate word.
    mutating func add(_ name: String, code: String) {
        words[name] = code
    }

    mutating func add(_ name: String, _ answer: TestAnswer) {
        let json = answer.json
        for member in ["access_token", "refresh_token"] { add("\(name), \(member)", json["session"]?[member]?.string) }
        add("\(name), device", json["device"]?["token"]?.string)
        add("\(name), flow", json["flow"]?.string)
        add("\(name), nonce", json["nonce"]?.string)
    }

    mutating func add(_ name: String, _ minted: Minted) {
        add("\(name), token", minted.token)
        for member in ["authorization_code", "code_verifier"] {
            add("\(name), \(member)", minted.members[member]?.string)
        }
    }

    var count: Int { whole.count + words.count }

    /// The names of the secrets in a text: plain, in hexadecimal or in base64.
    func hits(in text: String) -> [String] {
        let bytes = Array(text.utf8)
        let found = whole.filter { _, secret in
            let spellings = [secret, Hex.encode(Array(secret.utf8)), Data(secret.utf8).base64EncodedString()]
            return spellings.contains { Self.positions(of: Array($0.utf8), in: bytes, most: 1).isEmpty == false }
        }
        let codes = words.filter { _, code in
            let word = Array(code.utf8)
            return Self.positions(of: word, in: bytes, most: .max).contains {
                Self.isWord(bytes, $0..<($0 + word.count))
            }
        }
        return (Array(found.keys) + Array(codes.keys)).sorted()
    }

    /// A fraction of a second, or a part of a longer number or name, is not a word.
    private static func isWord(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        let inside: (UInt8) -> Bool = { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
        let before = range.lowerBound == 0 ? false : inside(bytes[range.lowerBound - 1])
        let after = range.upperBound == bytes.count ? false : inside(bytes[range.upperBound])
        return !before && !after
    }

    private static func positions(of pattern: [UInt8], in bytes: [UInt8], most: Int) -> [Int] {
        let data = Data(bytes)
        let wanted = Data(pattern)
        var (found, start) = ([Int](), data.startIndex)
        while found.count < most, let range = data.range(of: wanted, in: start..<data.endIndex) {
            found.append(range.lowerBound)
            start = range.upperBound
        }
        return found
    }
}
