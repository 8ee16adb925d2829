import Accounts
import Cryptography
import Foundation
import Logging
import Providers
import Vocabulary
import WebAuthn

/// The tools of steps.
struct StepTools: Sendable {
    let hasher: PasswordHasher
    let policy: PasswordPolicy
    let box: SealedBox
    let recoveryCodes: RecoveryCodes
    /// Nil where passkeys can't be used.
    let relyingParty: RelyingParty?
    /// Nil where there are no custom challenges.
    let challenge: ChallengeWebhook?
    /// Nil where no range service is configured.
    var breaches: BreachedPasswords?
    /// Nil where no protocol needs SRP.
    var names: SRPNames?
    /// The providers that lead steps.
    let providers: ProviderRegistry
    /// Of the digests of codes.
    let codeKey: [UInt8]
    /// The issuer name in authenticator apps.
    let serviceName: String
    let logger: Logger
    let now: @Sendable () -> Date

    /// The relying party; refused where there is none.
    var usableRelyingParty: RelyingParty {
        get throws(Rejection) {
            guard let relyingParty else { throw .providerNotAllowed() }
            return relyingParty
        }
    }

    func newID() -> UUID { UUID.v7(at: now(), random: .system) }
}
