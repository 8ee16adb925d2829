package import Cryptography
package import Foundation

/// The session id and a secret of 256 bits in a browser; the database keeps a digest of the secret.
package struct SessionCookie: Sendable, Equatable {
    package let session: UUID
    private let secret: [UInt8]

    fileprivate init(session: UUID, secret: [UInt8]) {
        (self.session, self.secret) = (session, secret)
    }

    /// Never equal to a refresh token's digest, so neither can replace the other.
    package var digest: [UInt8] { SHA256.hash(Array("session cookie ".utf8) + secret) }

    fileprivate var body: [UInt8] { session.bytes + secret }
}

/// Makes and reads session cookies.
///
/// The value carries a MAC, so that a forged one is refused without a query.
package struct SessionCookies: Sendable {
    private let mac: ShortMAC

    package init(keys: MasterKeys) {
        mac = ShortMAC(keys, "session cookie")
    }

    package func make(session: UUID) -> SessionCookie {
        SessionCookie(session: session, secret: RandomBytes.system(32))
    }

    package func text(_ cookie: SessionCookie) -> String {
        Base64URL.encode(mac.sealed(cookie.body))
    }

    /// Nil for values that this service did not issue.
    package func parse(_ text: String) -> SessionCookie? {
        guard text.utf8.count == 86, let bytes = Base64URL.decode(text), bytes.count == 64 else { return nil }
        let body = Array(bytes[..<48])
        guard mac.holds(Array(bytes[48...]), for: body) else { return nil }
        return SessionCookie(session: UUID(bytes: body[..<16]), secret: Array(body[16...]))
    }
}
