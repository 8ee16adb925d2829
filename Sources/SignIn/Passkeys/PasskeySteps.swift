import Accounts
import Cryptography
import Foundation
import Sessions
import Vocabulary
import WebAuthn

/// Verifies a passkey of the account, as a first or a second factor.
struct PasskeyStep: FlowStep {
    static let kind = "passkey"
    var isSprayed: Bool { false }
    private let challenge: PasskeyChallenge
    /// Whether it is the first factor for a name; the step then does not reveal the passkeys of that name.
    let isFirst: Bool

    init(isFirst: Bool) {
        (self.isFirst, challenge) = (isFirst, PasskeyChallenge())
    }

    func shown(_ context: FlowContext) throws(Rejection) -> SignInStep {
        let relyingParty = try context.tools.usableRelyingParty
        let allowed = isFirst ? [] : context.factors.passkeys.map(\.descriptor)
        let choices =
            isFirst ? context.otherFirstFactors(than: self) : context.choices().filter { $0.kind != .passkey }
        return .passkey(
            RequestOptions(challenge: challenge.value, allowedCredentials: allowed).options(for: relyingParty),
            StepOptions(choices: choices, offersRemembering: !isFirst && context.offersRemembering))
    }

    func isDue(_ next: SignInCourse.Next) -> Bool {
        next.candidates.contains { if case .passkey = $0 { true } else { false } }
    }

    func judge(_ response: StepResponse, _ context: FlowContext) throws(Rejection) -> Verdict {
        let answer = try response.answer.passkeyAssertion()
        guard let passkey = context.factors.passkeys.first(where: { $0.credential == answer.credentialID }) else {
            throw .passkeyRefused(.credentialNotAllowed)
        }
        let relyingParty = try context.tools.usableRelyingParty
        return .right(try passkey.verified(answer, challenge.value, relyingParty, isAccountKnown: !isFirst))
    }
}

/// Registers a new passkey.
struct PasskeySetUpStep: FlowStep {
    static let kind = "passkey_set_up"
    var isSprayed: Bool { false }
    private let challenge: PasskeyChallenge

    init() { challenge = PasskeyChallenge() }

    func shown(_ context: FlowContext) throws(Rejection) -> SignInStep {
        let relyingParty = try context.tools.usableRelyingParty
        let name = context.factors.emails.first?.text ?? context.factors.userName ?? context.factors.phones.first
        guard let account = context.account,
            let user = UserEntity(
                handle: account.bytes, name: name ?? context.factors.displayName ?? context.tools.serviceName,
                displayName: context.factors.displayName ?? name ?? context.tools.serviceName)
        else { throw .internalError }
        return .passkeySetUp(
            CreationOptions(
                user: user, challenge: challenge.value,
                excludedCredentials: context.factors.passkeys.map(\.descriptor)
            ).options(for: relyingParty))
    }

    func judge(_ response: StepResponse, _ context: FlowContext) throws(Rejection) -> Verdict {
        let answer = try response.answer.passkeyRegistration()
        let relyingParty = try context.tools.usableRelyingParty
        let made: RegisteredCredential
        do throws(WebAuthnError) {
            made = try relyingParty.verifyRegistration(
                answer, challenge: challenge.value,
                requiresUserVerification: relyingParty.userVerification == .required, at: context.tools.now())
        } catch {
            throw .passkeyRefused(error)
        }
        let proof = Proof(made.isUserVerified ? .verifiedPasskey : .passkey)
        return .right(Right(proof: proof, enrols: .passkey(NewPasskey(id: context.tools.newID(), made))))
    }
}

/// The challenge that an authenticator signs: 32 random bytes, valid for one step.
struct PasskeyChallenge: Codable, Sendable {
    let value: Challenge

    init() {
        guard let challenge = Challenge(RandomBytes.system(32)) else { preconditionFailure("32 bytes are a challenge") }
        value = challenge
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let challenge = Challenge(Array(try container.decode(Data.self))) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no challenge")
        }
        value = challenge
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Data(value.bytes))
    }
}

extension AccountFactors.Passkey {
    fileprivate var descriptor: CredentialDescriptor { CredentialDescriptor(id: credential, transports: transports) }

    /// The proof that an assertion yields.
    func verified(
        _ answer: AuthenticationResponse, _ challenge: Challenge, _ relyingParty: RelyingParty, isAccountKnown: Bool
    ) throws(Rejection) -> Right {
        let stored = StoredCredential(
            id: credential, publicKey: publicKey, signCount: UInt32(clamping: counter),
            isBackupEligible: isBackupEligible, userHandle: userHandle)
        do throws(WebAuthnError) {
            let assertion = try relyingParty.verifyAssertion(
                answer, challenge: challenge, credential: stored, allowedIDs: isAccountKnown ? [credential] : [],
                requiresUserVerification: relyingParty.userVerification == .required)
            return Right(
                proof: Proof(assertion.isUserVerified ? .verifiedPasskey : .passkey),
                effects: [
                    .usedPasskey(
                        id, counter: Int(assertion.signCount), isBackedUp: assertion.isBackedUp,
                        becomesBackupEligible: assertion.isBackupEligible && !isBackupEligible)
                ])
        } catch {
            throw .passkeyRefused(error)
        }
    }
}

extension StepAnswer {
    func passkeyAssertion() throws(Rejection) -> AuthenticationResponse {
        let answer = try passkeyAnswer()
        do throws(WebAuthnError) {
            return try AuthenticationResponse(answer)
        } catch {
            throw .passkeyRefused(error)
        }
    }

    fileprivate func passkeyRegistration() throws(Rejection) -> RegistrationResponse {
        let answer = try passkeyAnswer()
        do throws(WebAuthnError) {
            return try RegistrationResponse(answer)
        } catch {
            throw .passkeyRefused(error)
        }
    }
}
