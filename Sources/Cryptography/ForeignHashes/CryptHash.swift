import CCrypt

/// A hash that libxcrypt checks: bcrypt, SHA-crypt, scrypt or yescrypt.
///
/// The prefixes are `$2a$`, `$2b$` and `$2y$` (bcrypt), `$5$` and `$6$` (SHA-crypt), `$7$` (scrypt) and `$y$`
/// (yescrypt).
///
/// crypt(3) ends a password at its first NUL byte, so any further text would match. Other systems hash the whole
/// password, which is impossible here. A password with a NUL byte therefore never matches.
struct CryptHash: Sendable, Equatable {
    /// The input to crypt(3) that replaces the password.
    enum Preparation: Sendable {
        case none
        /// bcrypt reads at most 72 bytes, so two longer passwords with the same beginning are equal.
        case bcrypt
        /// Django's `bcrypt_sha256`: bcrypt of the SHA-256 digest in hexadecimal, so that every byte counts.
        case bcryptOfDigest
    }

    /// libxcrypt refuses longer ones.
    private static let longestPassword = 511
    private static let bcryptReads = 72

    /// The whole text, from which crypt(3) takes the setting.
    let setting: String
    let preparation: Preparation
    /// The end of the text.
    ///
    /// The part before it has several spellings: `rounds=5000`, or bcrypt's two spare bits.
    let expected: [UInt8]

    init(setting: String, preparation: Preparation, digestLength: Int) {
        (self.setting, self.preparation) = (setting, preparation)
        expected = Array(setting.utf8.suffix(digestLength))
    }

    func digest(of password: [UInt8]) throws(PasswordHashError) -> [UInt8] {
        let prepared = prepared(password)
        guard !prepared.contains(0), prepared.count <= Self.longestPassword else { return [] }
        var text = [UInt8](repeating: 0, count: Int(CRYPT_OUTPUT_SIZE))
        let phrase = prepared.map { CChar(bitPattern: $0) } + [0]
        let length = unsafe ccrypt_hash(phrase, setting, &text, text.count)
        guard length > expected.count else { throw .failed(code: 0) }
        return Array(text[..<length].suffix(expected.count))
    }

    private func prepared(_ password: [UInt8]) -> [UInt8] {
        switch preparation {
        case .none: password
        case .bcrypt: password.contains(0) ? password : Array(password.prefix(Self.bcryptReads))
        case .bcryptOfDigest: Array(Hex.encode(SHA256.hash(password)).utf8)
        }
    }
}

extension CryptHash {
    var kind: PasswordHashKind {
        switch setting.utf8.dropFirst().first {
        case UInt8(ascii: "5"), UInt8(ascii: "6"): .shaCrypt
        case UInt8(ascii: "7"): .scrypt
        case UInt8(ascii: "y"): .yescrypt
        default: .bcrypt
        }
    }
}
