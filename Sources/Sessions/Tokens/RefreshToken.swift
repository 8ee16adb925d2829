package import Cryptography
package import Foundation
import Vocabulary

/// One link of a session's chain of refresh tokens.
///
/// Clients treat it as opaque. It names its session and generation and holds a secret of 256 bits; the database keeps the
/// secret's digest. Its MAC identifies every token that this service issued, however old, so a forged token cannot end a
/// session.
package struct RefreshToken: Sendable, Equatable {
    package let session: UUID
    /// Counts the rotations of the session from 0.
    package let generation: Int
    /// The content under the MAC: the session, the generation in four bytes, the secret.
    fileprivate let body: [UInt8]

    fileprivate static let headLength = 20
    package static let secretLength = 32
    fileprivate static let bodyLength = headLength + secretLength

    fileprivate init(session: UUID, generation: Int, secret: some Collection<UInt8>) {
        (self.session, self.generation) = (session, generation)
        body = Self.body(session, generation, secret)
    }

    /// The digest in the database.
    package var digest: [UInt8] { SHA256.hash(body.span.extracting(droppingFirst: Self.headLength)) }

    fileprivate var secret: ArraySlice<UInt8> { body[Self.headLength...] }

    fileprivate static func body(_ session: UUID, _ generation: Int, _ secret: some Collection<UInt8>) -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(bodyLength)
        session.append(to: &body)
        UInt32(generation).appendBigEndian(to: &body)
        body.append(contentsOf: secret)
        return body
    }
}

/// Makes and reads refresh tokens.
package struct RefreshTokens: Sendable {
    private static let prefix = SecretPrefix.refreshToken
    /// In bytes; its text has four characters for three of them.
    private static let length = RefreshToken.bodyLength + ShortMAC.length
    private static let textLength = prefix.rawValue.utf8.count + (length * 4 + 2) / 3
    private let mac: ShortMAC
    private let successorKey: [UInt8]

    package init(keys: MasterKeys) {
        mac = ShortMAC(keys, "refresh token")
        successorKey = keys.derived("refresh token successor")
    }

    /// - Parameter secret: ``RefreshToken/secretLength`` random bytes, used once.
    package func first(session: UUID, secret: some Collection<UInt8>) -> RefreshToken {
        precondition(secret.count == RefreshToken.secretLength)
        return RefreshToken(session: session, generation: 0, secret: secret)
    }

    /// The first token of a session that was handed over with a secret.
    func first(session: UUID, derivedFrom secret: [UInt8]) -> RefreshToken {
        let own = HMACSHA256.code(Array("first ".utf8) + session.bytes + secret, key: successorKey)
        return RefreshToken(session: session, generation: 0, secret: own)
    }

    /// Derived, so that a repeat gets the same successor from every server.
    package func successor(of token: RefreshToken) -> RefreshToken {
        let next = token.generation + 1
        let secret = HMACSHA256.code(RefreshToken.body(token.session, next, token.secret), key: successorKey)
        return RefreshToken(session: token.session, generation: next, secret: secret)
    }

    package func text(_ token: RefreshToken) -> String {
        Self.prefix.text(mac.sealed(token.body))
    }

    /// Whether the text has the format of a refresh token, forged or not.
    static func hasShape(_ text: String) -> Bool {
        text.utf8.count == textLength && prefix.begins(text)
    }

    /// Nil for a text that this service did not issue.
    package func parse(_ text: String) -> RefreshToken? {
        guard Self.hasShape(text),
            let bytes = Base64URL.decode(text.utf8Span.span.extracting(droppingFirst: Self.prefix.rawValue.utf8.count)),
            bytes.count == Self.length
        else { return nil }
        let (body, code) = (
            bytes.span.extracting(first: RefreshToken.bodyLength), bytes.span.extracting(last: ShortMAC.length)
        )
        guard mac.holds(code, for: body) else { return nil }
        let generation = Int(UInt32(bigEndianBytes: bytes[16..<RefreshToken.headLength]))
        guard generation < Int(Int32.max) else { return nil }
        return RefreshToken(
            session: UUID(bytes: bytes[..<16]), generation: generation,
            secret: bytes[RefreshToken.headLength..<RefreshToken.bodyLength])
    }
}
