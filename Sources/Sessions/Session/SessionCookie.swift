package import Cryptography
package import Foundation

/// What a browser holds of its session: its id and 256 bits of which the database keeps a digest.
package struct SessionCookie: Sendable, Equatable {
    package let session: UUID
    private let secret: [UInt8]

    fileprivate init(session: UUID, secret: [UInt8]) {
        (self.session, self.secret) = (session, secret)
    }

    /// Never equal to a refresh token's digest: neither can be used in the other's place.
    var digest: [UInt8] { SHA256.hash(Array("session cookie ".utf8) + secret) }

    fileprivate var body: [UInt8] { session.bytes + secret }
}

/// Makes and reads session cookies.
///
/// The value carries a MAC, so that a made-up one costs no look-up.
package struct SessionCookies: Sendable {
    private let keys: [[UInt8]]
    private let random: RandomBytes

    package init(keys: MasterKeys, random: RandomBytes = .system) {
        self.keys = keys.derivedAll("session cookie")
        self.random = random
    }

    func make(session: UUID) -> SessionCookie {
        SessionCookie(session: session, secret: random(32))
    }

    func text(_ cookie: SessionCookie) -> String {
        Base64URL.encode(cookie.body + mac(cookie.body, keys[0]))
    }

    /// Nil for whatever was never ours.
    package func parse(_ text: String) -> SessionCookie? {
        guard text.utf8.count == 86, let bytes = Base64URL.decode(text), bytes.count == 64 else { return nil }
        let body = Array(bytes[..<48])
        let presented = Array(bytes[48...])
        guard keys.contains(where: { ConstantTime.equal(mac(body, $0), presented) }) else { return nil }
        return SessionCookie(session: UUID(bytes: body[..<16]), secret: Array(body[16...]))
    }

    private func mac(_ body: [UInt8], _ key: [UInt8]) -> [UInt8] {
        Array(HMACSHA256.code(body, key: key).prefix(16))
    }
}
