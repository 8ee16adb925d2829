import Cryptography
package import Foundation
import JSON
package import Vocabulary

/// The user name and the salt of SRP for one sign-in name in one realm.
///
/// Both are keyed functions of realm and name, and of nothing else. So they reveal neither whether the name has an
/// account, nor which names belong to one account, nor a change of the password.
package struct SRPUser: Sendable, Hashable {
    package let id: UUID
    package let salt: [UInt8]

    /// - Parameter key: the secret that outlives the master keys (`name_secret`).
    package init(_ name: SignInName, realm: String, key: [UInt8]) {
        let code = HMACSHA256.code(Array("srp user\0\(realm)\0\(name.kind.rawValue)\0\(name.key)".utf8), key: key)
        self.init(UUID(text: name.text) ?? Self.id(code), realm: realm, key: key)
    }

    /// The user with an id that a client got instead of a name, or with the account's own id.
    ///
    /// An invented id has its salt like a stored one: it comes back unchanged, whether or not it stands for an account.
    package init(_ id: UUID, realm: String, key: [UInt8]) {
        var salt = Array(HMACSHA256.code(Array("srp salt\0\(realm)\0\(id.text)".utf8), key: key).prefix(16))
        // Without leading zeros, which readers write differently.
        salt[0] |= 0x10
        (self.id, self.salt) = (id, salt)
    }

    /// Version 4 (RFC 9562 §5.4), beginning with a digit: no user name can look like it.
    private static func id(_ code: [UInt8]) -> UUID {
        var bytes = Array(code.prefix(16))
        bytes[0] &= 0x7F
        (bytes[6], bytes[8]) = (bytes[6] & 0x0F | 0x40, bytes[8] & 0x3F | 0x80)
        return UUID(bytes: bytes)
    }
}

/// The account, the realm and the users that SRP verifiers are made for.
package struct SRPOrder: Sendable {
    let account: UUID
    let realm: String
    let users: [SRPUser]
    let box: SealedBox

    /// The verifiers of a password; each costs an exponentiation.
    func verifiers(of password: Secret) -> [SealedSRPVerifier] {
        users.map { user in
            SealedSRPVerifier(
                SRPVerifier(realm: realm, user: user.id.text, password: password, salt: user.salt), of: user, for: self)
        }
    }
}
