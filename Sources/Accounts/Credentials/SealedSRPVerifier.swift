package import Cryptography
package import Foundation
package import JSON

/// A verifier for SRP-6a (RFC 5054), with everything that it depends on.
///
/// It is sealed, because a guess at the password costs far less against it than against an Argon2id hash.
package struct SealedSRPVerifier: Sendable, Equatable {
    /// The group of the numbers and the hash function.
    package enum Group: String, Sendable, CaseIterable {
        /// The 3072-bit group of RFC 3526 §4, with SHA-256.
        case modp3072SHA256 = "modp3072-sha256"
    }

    /// The owner; another account needs another verifier.
    package let account: UUID
    /// The user name of the protocol: random, so that it looks like that of an unknown user.
    package let user: UUID
    /// A pool's name.
    package let realm: String
    package let group: Group
    package let salt: [UInt8]
    package let sealed: [UInt8]

    package init(account: UUID, user: UUID, realm: String, group: Group, salt: [UInt8], sealed: [UInt8]) {
        (self.account, self.user, self.realm, self.group) = (account, user, realm, group)
        (self.salt, self.sealed) = (salt, sealed)
    }

    /// Seals a verifier for its account and realm alone.
    init(_ verifier: SRPVerifier, for order: SRPOrder) {
        self.init(
            account: order.account, user: order.user, realm: order.realm, group: .modp3072SHA256,
            salt: verifier.saltBytes,
            sealed: order.box.seal(verifier.bytes, purpose: Self.purpose(order.account, order.realm)))
    }

    /// - Throws: ``SealedBoxError`` if its master key is missing.
    package func opened(_ box: SealedBox) throws(SealedBoxError) -> SRPVerifier {
        SRPVerifier(salt: salt, value: Secret(try box.open(sealed, purpose: Self.purpose(account, realm))))
    }

    private static func purpose(_ account: UUID, _ realm: String) -> String { "srp verifier \(account.text) \(realm)" }

    /// Reads the form of ``json(of:)``; nil for another one.
    package init?(_ json: JSON) {
        guard let account = json["account_id"]?.string.flatMap(UUID.init(text:)),
            let user = json["user_id"]?.string.flatMap(UUID.init(text:)), let realm = json["realm"]?.string,
            let group = json["group_id"]?.string.flatMap(Group.init(rawValue:)),
            let salt = Self.bytes(json["salt"]), let sealed = Self.bytes(json["sealed"])
        else { return nil }
        self.init(account: account, user: user, realm: realm, group: group, salt: salt, sealed: sealed)
    }

    private static func bytes(_ json: JSON?) -> [UInt8]? {
        guard let text = json?.string, text.hasPrefix(#"\x"#) else { return nil }
        return Hex.decode(String(text.dropFirst(2)))
    }

    /// - Parameter hash: the hash of the same password, which the row must have.
    func json(of hash: String) -> JSON {
        [
            "account_id": .string(account.text), "user_id": .string(user.text), "hash": .string(hash),
            "realm": .string(realm),
            "group_id": .string(group.rawValue), "salt": Self.json(salt), "sealed": Self.json(sealed),
        ]
    }

    /// PostgreSQL's text form of bytes.
    private static func json(_ bytes: [UInt8]) -> JSON { .string(#"\x"# + Hex.encode(bytes)) }
}

/// The account and realm that an SRP verifier is made for.
package struct SRPOrder: Sendable {
    let account: UUID
    let user = UUID()
    let realm: String
    let box: SealedBox

    package init(account: UUID, realm: String, box: SealedBox) {
        (self.account, self.realm, self.box) = (account, realm, box)
    }
}
