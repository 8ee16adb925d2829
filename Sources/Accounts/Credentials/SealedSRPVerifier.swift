import Cryptography
package import Foundation
import JSON

/// A verifier for SRP-6a (RFC 5054), with everything that it depends on.
///
/// It is sealed, because a guess at the password costs far less against it than against an Argon2id hash.
package struct SealedSRPVerifier: Sendable, Equatable {
    /// The group of the numbers and the hash function.
    package enum Group: String, Sendable, CaseIterable {
        /// The 3072-bit group of RFC 3526 §4, with SHA-256.
        case modp3072SHA256 = "modp3072-sha256"
    }

    /// The user name of the protocol; another account needs another verifier.
    package let account: UUID
    /// A pool's name.
    package let realm: String
    package let group: Group
    package let salt: [UInt8]
    package let sealed: [UInt8]

    package init(account: UUID, realm: String, group: Group, salt: [UInt8], sealed: [UInt8]) {
        (self.account, self.realm, self.group) = (account, realm, group)
        (self.salt, self.sealed) = (salt, sealed)
    }

    /// - Parameter hash: the hash of the same password, which the row must have.
    func json(of hash: String) -> JSON {
        [
            "account_id": .string(account.text), "hash": .string(hash), "realm": .string(realm),
            "group_id": .string(group.rawValue), "salt": Self.json(salt), "sealed": Self.json(sealed),
        ]
    }

    /// PostgreSQL's text form of bytes.
    private static func json(_ bytes: [UInt8]) -> JSON { .string(#"\x"# + Hex.encode(bytes)) }
}
