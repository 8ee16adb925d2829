package import Cryptography
package import Foundation

/// One link of a session's chain of refresh tokens.
///
/// To everybody else it is opaque. It names its session and generation, proves itself by 256 bits of which the database
/// keeps a digest, and carries a MAC: any token that was ever ours is known as such, however old, and a made-up one
/// can't end a stranger's session.
package struct RefreshToken: Sendable, Equatable {
    package let session: UUID
    /// Counts the rotations of the session from 0.
    package let generation: Int
    private let secret: [UInt8]

    fileprivate init(session: UUID, generation: Int, secret: [UInt8]) {
        (self.session, self.generation, self.secret) = (session, generation, secret)
    }

    /// What the database knows it by.
    package var digest: [UInt8] { SHA256.hash(secret) }

    fileprivate var body: [UInt8] { session.bytes + UInt32(generation).bigEndianBytes + secret }
    fileprivate var secretBytes: [UInt8] { secret }
}

/// Makes and reads refresh tokens.
package struct RefreshTokens: Sendable {
    private static let prefix = "rt_"
    private let mac: ShortMAC
    private let successorKey: [UInt8]
    private let random: RandomBytes

    package init(keys: MasterKeys, random: RandomBytes = .system) {
        mac = ShortMAC(keys, "refresh token")
        successorKey = keys.derived("refresh token successor")
        self.random = random
    }

    package func first(session: UUID) -> RefreshToken {
        RefreshToken(session: session, generation: 0, secret: random(32))
    }

    /// The first token of a session whose secret somebody holds already.
    func first(session: UUID, derivedFrom secret: [UInt8]) -> RefreshToken {
        let own = HMACSHA256.code(Array("first ".utf8) + session.bytes + secret, key: successorKey)
        return RefreshToken(session: session, generation: 0, secret: own)
    }

    /// Derived, not random: a retry whose first answer was lost gets the very same successor, on every server.
    package func successor(of token: RefreshToken) -> RefreshToken {
        let next = token.generation + 1
        let secret = HMACSHA256.code(
            token.session.bytes + UInt32(next).bigEndianBytes + token.secretBytes, key: successorKey)
        return RefreshToken(session: token.session, generation: next, secret: secret)
    }

    package func text(_ token: RefreshToken) -> String {
        Self.prefix + Base64URL.encode(token.body + mac.code(token.body))
    }

    /// Nil for whatever was never ours.
    package func parse(_ text: String) -> RefreshToken? {
        guard text.utf8.count == 94, text.hasPrefix(Self.prefix), let bytes = Base64URL.decode(text.dropFirst(3)),
            bytes.count == 68
        else { return nil }
        let body = Array(bytes[..<52])
        guard mac.holds(Array(bytes[52...]), for: body) else { return nil }
        let generation = Int(UInt32(bigEndianBytes: body[16..<20]))
        guard generation < Int(Int32.max) else { return nil }
        return RefreshToken(session: UUID(bytes: body[..<16]), generation: generation, secret: Array(body[20...]))
    }
}

extension UUID {
    var bytes: [UInt8] {
        let u = uuid
        return [u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15]
    }

    /// From 16 bytes.
    init(bytes: some Collection<UInt8>) {
        let b = Array(bytes)
        self.init(
            uuid: (b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15])
        )
    }
}
