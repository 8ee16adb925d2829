package import Cryptography
package import Foundation
import JSON
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

    /// Different for different bindings.
    fileprivate var digest: [UInt8] {
        let parts: [JSON] = [.string(redirectURI)] + [challenge, key].map { $0.map(JSON.string) ?? .null }
        return SHA256.hash(JSON.array(parts).text)
    }
}

/// A single-use code with which an app fetches the session that began in a browser.
///
/// It states its binding, so the database has only the session, which is unclaimed until the redemption.
package struct HandoverCode: Sendable, Equatable {
    package let session: UUID
    fileprivate let secret: [UInt8]
    /// The digest of its binding.
    fileprivate let binding: [UInt8]
    /// The app's, for the ID token.
    let nonce: String?

    /// The lifetime in seconds, also of an unclaimed session.
    package static let life = 60

    fileprivate var body: [UInt8] { session.bytes + secret + binding + Array((nonce ?? "").utf8) }

    /// Whether a redemption has the code's binding; a code without a key admits every key.
    func isBound(to shown: CodeBinding) -> Bool {
        let withoutKey = CodeBinding(redirectURI: shown.redirectURI, challenge: shown.challenge)
        return binding == withoutKey.digest || binding == shown.digest
    }
}

/// Makes and reads handover codes.
package struct HandoverCodes: Sendable {
    private static let prefix = SecretPrefix.handoverCode
    /// In bytes: the session, the secret and the binding; the rest is the nonce.
    private static let headLength = 80
    /// In characters.
    private static let longest = 1_024
    private let mac: ShortMAC

    package init(keys: MasterKeys) {
        mac = ShortMAC(keys, "hand-over code")
    }

    package func make(session: UUID, _ binding: CodeBinding, nonce: String?) -> HandoverCode {
        HandoverCode(session: session, secret: RandomBytes.system(32), binding: binding.digest, nonce: nonce)
    }

    package func text(_ code: HandoverCode) -> String {
        Self.prefix.text(mac.sealed(code.body))
    }

    /// Nil for a code that this service did not issue.
    package func parse(_ text: String) -> HandoverCode? {
        guard text.utf8.count <= Self.longest, let bytes = Self.prefix.bytes(of: text),
            bytes.count >= Self.headLength + ShortMAC.length
        else { return nil }
        let body = Array(bytes.dropLast(ShortMAC.length))
        guard mac.holds(Array(bytes.suffix(ShortMAC.length)), for: body) else { return nil }
        let nonce = String(decoding: body[Self.headLength...], as: UTF8.self)
        return HandoverCode(
            session: UUID(bytes: body[..<16]), secret: Array(body[16..<48]), binding: Array(body[48..<Self.headLength]),
            nonce: nonce.isEmpty ? nil : nonce)
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
