package import Clients
import Cryptography
import Foundation
package import Sessions
package import Vocabulary

/// Sessions that one call proves and a later call begins, where a dialect has no tokens in the first answer.
///
/// The first answer has a `Session`, and the later call fetches the tokens with it. A handover code does the same for
/// browsers; its proof key is a part of the `Session`, which only the caller has.
package struct ConfirmedSessions: Sendable {
    private let handover: HandoverService
    private let dialect: TokenDialect

    private static let (prefix, destination) = (SecretPrefix.confirmedSession, "urn:login-gateway:confirmed")

    package init(handover: HandoverService, dialect: TokenDialect) {
        (self.handover, self.dialect) = (handover, dialect)
    }

    /// How the core hands one session over.
    package struct Binding: Sendable {
        fileprivate let verifier = Base64URL.encode(RandomBytes.system(32))

        package init() {}

        package var handing: SessionHanding {
            .code(CodeBinding(redirectURI: ConfirmedSessions.destination, challenge: PKCE.challenge(verifier)))
        }
    }

    /// The text that fetches the session; nil for one that was not handed over with a code.
    package func text(_ session: HandedSession, _ binding: Binding) -> String? {
        guard case .code(let code) = session else { return nil }
        return "\(Self.prefix.rawValue)\(binding.verifier).\(code)"
    }

    /// Whether a text is one of these.
    package func isOne(_ text: String) -> Bool { Self.prefix.begins(text) }

    /// Fetches the tokens, once, within 60 seconds.
    ///
    /// - Throws: `handoverCodeInvalid` for any other text.
    package func redeem(_ text: String, _ client: Client, _ caller: Caller) async throws(Rejection) -> IssuedSession {
        guard let parts = Self.prefix.rest(of: text)?.split(separator: ".", maxSplits: 1), parts.count == 2,
            PKCE.isWellFormed(verifier: String(parts[0]))
        else {
            throw .handoverCodeInvalid
        }
        let claim = HandoverService.Claim(
            code: String(parts[1]), verifier: String(parts[0]), redirectURI: Self.destination)
        return try await handover.redeem(claim, client: client, at: dialect, caller: caller)
    }
}
