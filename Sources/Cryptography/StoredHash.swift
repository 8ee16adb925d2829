/// A password hash from the database: our own, or an imported one.
enum StoredHash: Sendable, Equatable {
    case own(PasswordHash)
    case foreign(ForeignHash)

    /// Refuses excessive costs before any allocation.
    init(_ text: String) throws(PasswordHashError) {
        guard text.hasPrefix("$argon2id$v=\(Argon2.version)$") else {
            self = .foreign(try ForeignHash(parsing: text))
            return
        }
        self = .own(try PasswordHash(text))
    }
}

/// The origin of a hash, for counts and reports: never the hash itself.
package enum PasswordHashKind: String, Sendable, CaseIterable {
    case argon2, bcrypt, shaCrypt = "sha_crypt", yescrypt, pbkdf2, scrypt
    case firebase = "firebase_scrypt"

    /// The kind of a text that passwords can be checked against, including ours; the error gives the reason otherwise.
    package init(of encoded: String) throws(PasswordHashError) {
        self =
            switch try StoredHash(encoded) {
            case .own, .foreign(.argon2): .argon2
            case .foreign(.crypt(let hash)): hash.kind
            case .foreign(.pbkdf2): .pbkdf2
            case .foreign(.scrypt): .scrypt
            case .foreign(.firebase): .firebase
            }
    }
}
