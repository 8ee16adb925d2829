/// A password hash of another system, which this program checks and never makes.
enum ForeignHash: Sendable, Equatable {
    case argon2(Argon2Hash)
    /// bcrypt, SHA-crypt, `$7$` and yescrypt.
    case crypt(CryptHash)
    case pbkdf2(PBKDF2Hash)
    case scrypt(ScryptHash)
    case firebase(FirebaseHash)

    /// Reads a text by its prefix, and refuses a cost beyond ``HashCost`` before any computation.
    init(parsing text: String) throws(PasswordHashError) {
        guard HashText.isPlain(text), !text.isEmpty else { throw .malformedHash }
        guard text.utf8.first == UInt8(ascii: "$") else {
            self = try Self.django(text)
            return
        }
        self = try Self.modular(text)
    }

    /// The password's digest in the stored text.
    var expected: [UInt8] {
        switch self {
        case .argon2(let hash): hash.expected
        case .crypt(let hash): hash.expected
        case .pbkdf2(let hash): hash.expected
        case .scrypt(let hash): hash.expected
        case .firebase(let hash): hash.expected
        }
    }

    /// The digest of a password; empty when the other system cannot have hashed such a password.
    ///
    /// Blocks the calling thread.
    func digest(of password: [UInt8]) throws(PasswordHashError) -> [UInt8] {
        switch self {
        case .argon2(let hash): try hash.digest(of: password)
        case .crypt(let hash): try hash.digest(of: password)
        case .pbkdf2(let hash): try hash.digest(of: password)
        case .scrypt(let hash): try hash.digest(of: password)
        case .firebase(let hash): try hash.digest(of: password)
        }
    }

    /// Texts that begin with a dollar sign: crypt(3)'s modular form, and its successor, the PHC string format.
    private static func modular(_ text: String) throws(PasswordHashError) -> ForeignHash {
        switch HashText.parts(text)[1] {
        case "argon2i", "argon2d", "argon2id": .argon2(try Argon2Hash(parsing: text))
        case "2a", "2b", "2y", "5", "6", "7", "y": .crypt(try CryptHash(parsing: text))
        case "pbkdf2", "pbkdf2-sha1", "pbkdf2-sha256", "pbkdf2-sha512": .pbkdf2(try PBKDF2Hash(parsing: text))
        case "scrypt": .scrypt(try ScryptHash(parsing: text))
        case "firebase-scrypt": .firebase(try FirebaseHash(parsing: text))
        default: throw .unsupportedHash
        }
    }

    /// Django's texts: the hasher's name, then that hasher's own text.
    private static func django(_ text: String) throws(PasswordHashError) -> ForeignHash {
        guard let end = text.firstIndex(of: "$") else { throw .malformedHash }
        let rest = String(text[text.index(after: end)...])
        switch text[..<end] {
        case "argon2": return .argon2(try Argon2Hash(parsing: "$" + rest))
        case "bcrypt": return .crypt(try CryptHash(parsingBcrypt: rest))
        case "bcrypt_sha256": return .crypt(try CryptHash(parsingBcrypt: rest, ofDigest: true))
        case "pbkdf2_sha256", "pbkdf2_sha1": return .pbkdf2(try PBKDF2Hash(parsingDjango: text))
        case "scrypt": return .scrypt(try ScryptHash(parsingDjango: text))
        default: throw .unsupportedHash
        }
    }
}
