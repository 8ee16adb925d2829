package import Cryptography
package import Foundation
import Vocabulary

/// Binds a handover code to the app's redirect address and its proof key (RFC 7636, S256).
package struct CodeBinding: Sendable, Equatable {
    package let redirectURI: String
    /// Nil where the client's secret alone protects the code.
    package let challenge: String?
    /// The thumbprint of the only key that may redeem the code (RFC 9449 §10); nil for any.
    let key: String?

    package init(redirectURI: String, challenge: String?, key: String? = nil) {
        (self.redirectURI, self.challenge, self.key) = (redirectURI, challenge, key)
    }
}

/// A single-use code with which an app fetches the session that began in a browser.
package struct HandoverCode: Sendable, Equatable {
    package let session: UUID
    fileprivate let secret: [UInt8]

    /// The lifetime in seconds, also of an unclaimed session.
    package static let life = 60

    /// The digest that the database stores.
    package var digest: [UInt8] { SHA256.hash(Array("hand-over code ".utf8) + secret) }

    fileprivate var body: [UInt8] { session.bytes + secret }
}

/// Makes and reads handover codes.
package struct HandoverCodes: Sendable {
    private static let prefix = SecretPrefix.handoverCode
    private let mac: ShortMAC
    private let random: RandomBytes

    package init(keys: MasterKeys, random: RandomBytes = .system) {
        mac = ShortMAC(keys, "hand-over code")
        self.random = random
    }

    package func make(session: UUID) -> HandoverCode {
        HandoverCode(session: session, secret: random(32))
    }

    package func text(_ code: HandoverCode) -> String {
        Self.prefix.text(mac.sealed(code.body))
    }

    /// Nil for a code that this service did not issue.
    package func parse(_ text: String) -> HandoverCode? {
        guard text.utf8.count == 89, let bytes = Self.prefix.bytes(of: text),
            bytes.count == 64
        else { return nil }
        let body = Array(bytes[..<48])
        guard mac.holds(Array(bytes[48...]), for: body) else { return nil }
        return HandoverCode(session: UUID(bytes: body[..<16]), secret: Array(body[16...]))
    }
}

extension RefreshTokens {
    /// The first refresh token of a session that a handover code passes on.
    ///
    /// It derives from the code, so that the database can store its digest before the app's browser sees the code.
    package func first(for code: HandoverCode) -> RefreshToken {
        first(session: code.session, derivedFrom: code.secret)
    }
}
