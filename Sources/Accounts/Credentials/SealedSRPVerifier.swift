package import Cryptography
package import Foundation
package import JSON

/// A verifier for SRP-6a (RFC 5054), with everything that it depends on but its account, its hash and its salt.
///
/// It is sealed, because a guess at the password costs far less against it than against an Argon2id hash.
package struct SealedSRPVerifier: Sendable, Equatable {
    /// The group of the numbers and the hash function.
    package enum Group: String, Sendable, CaseIterable {
        /// The 3072-bit group of RFC 3526 §4, with SHA-256.
        case modp3072SHA256 = "modp3072-sha256"
    }

    /// The user name of the protocol.
    package let user: UUID
    /// A pool's name.
    package let realm: String
    package let group: Group
    package let sealed: [UInt8]

    package init(user: UUID, realm: String, group: Group, sealed: [UInt8]) {
        (self.user, self.realm, self.group, self.sealed) = (user, realm, group, sealed)
    }

    /// Seals a verifier for its account, realm and user alone.
    init(_ verifier: SRPVerifier, of user: SRPUser, for order: SRPOrder) {
        self.init(
            user: user.id, realm: order.realm, group: .modp3072SHA256,
            sealed: order.box.seal(verifier.bytes, purpose: Self.purpose(order.account, order.realm, user.id)))
    }

    /// - Throws: ``SealedBoxError`` if its master key is missing, or for another account.
    package func opened(
        _ box: SealedBox, account: UUID, salt: [UInt8]
    ) throws(SealedBoxError) -> SRPVerifier {
        SRPVerifier(salt: salt, value: Secret(try box.open(sealed, purpose: Self.purpose(account, realm, user))))
    }

    private static func purpose(_ account: UUID, _ realm: String, _ user: UUID) -> String {
        "srp verifier \(account.text) \(user.text) \(realm)"
    }

    /// Reads ``json``; nil for another form.
    package init?(_ json: JSON) {
        guard let user = json["user_id"]?.string.flatMap(UUID.init(text:)), let realm = json["realm"]?.string,
            let group = json["group_id"]?.string.flatMap(Group.init(rawValue:)),
            let text = json["sealed"]?.string, text.hasPrefix(#"\x"#),
            let sealed = Hex.decode(String(text.dropFirst(2)))
        else { return nil }
        self.init(user: user, realm: realm, group: group, sealed: sealed)
    }

    /// The form of `srp_verifier`, with PostgreSQL's text form of bytes.
    var json: JSON {
        [
            "user_id": .string(user.text), "realm": .string(realm), "group_id": .string(group.rawValue),
            "sealed": .string(#"\x"# + Hex.encode(sealed)),
        ]
    }
}
