package import Cryptography
import Foundation

/// What a hand-over code is bound to: the app's redirect address and its proof key (RFC 7636, S256).
package struct CodeBinding: Sendable, Equatable {
    package let redirectURI: String
    package let challenge: String

    package init(redirectURI: String, challenge: String) {
        (self.redirectURI, self.challenge) = (redirectURI, challenge)
    }
}

/// A one-time code by which an app fetches the session that began in a browser.
struct HandoverCode: Sendable, Equatable {
    let session: UUID
    fileprivate let secret: [UInt8]

    /// In seconds; the session itself waits no longer.
    static let life = 60

    /// What the database knows it by.
    var digest: [UInt8] { SHA256.hash(Array("hand-over code ".utf8) + secret) }

    fileprivate var body: [UInt8] { session.bytes + secret }
}

/// Makes and reads hand-over codes.
package struct HandoverCodes: Sendable {
    private static let prefix = "hc_"
    private let mac: ShortMAC
    private let random: RandomBytes

    package init(keys: MasterKeys, random: RandomBytes = .system) {
        mac = ShortMAC(keys, "hand-over code")
        self.random = random
    }

    func make(session: UUID) -> HandoverCode {
        HandoverCode(session: session, secret: random(32))
    }

    func text(_ code: HandoverCode) -> String {
        Self.prefix + Base64URL.encode(mac.sealed(code.body))
    }

    /// Nil for whatever was never ours.
    func parse(_ text: String) -> HandoverCode? {
        guard text.utf8.count == 89, text.hasPrefix(Self.prefix), let bytes = Base64URL.decode(text.dropFirst(3)),
            bytes.count == 64
        else { return nil }
        let body = Array(bytes[..<48])
        guard mac.holds(Array(bytes[48...]), for: body) else { return nil }
        return HandoverCode(session: UUID(bytes: body[..<16]), secret: Array(body[16...]))
    }
}

extension RefreshTokens {
    /// The first refresh token of a session that is handed over: derived from the code, so that the database can keep
    /// its digest before anybody but the app's browser has seen the code.
    func first(for code: HandoverCode) -> RefreshToken {
        first(session: code.session, derivedFrom: code.secret)
    }
}
