package import Accounts
import Clients
import Cryptography
package import Foundation
import JSON
import Logging
import Messages
import Postgres
package import Sessions
package import Vocabulary
import WebAuthn

/// Manages the second factors of a signed-in user.
///
/// Every change needs a recent proof, with a second factor if the account has one (`steps/may_change_factors.sql`).
/// Otherwise a stolen session could add factors of its own.
package final class FactorService: Sendable {
    let pool: ConnectionPool
    private let shared: FlowServices
    private let signIn: SignInService
    private let directory: SessionDirectory
    private var tools: StepTools { shared.tools }
    var logger: Logger { shared.logger }
    var box: SealedBox { tools.box }
    var recoveryCodes: RecoveryCodes { tools.recoveryCodes }

    package init(_ shared: FlowServices, signIn: SignInService, directory: SessionDirectory) {
        (self.shared, self.signIn, self.directory) = (shared, signIn, directory)
        pool = shared.pool
    }

    /// A factor to add; the raw value is the `type` of the API.
    package enum Addition: Sendable, Equatable {
        case totp
        case email(String)
        case sms(String)
        case passkey
    }

    /// The relying party's id; nil where passkeys can't be used.
    package var relyingPartyID: String? { tools.relyingParty?.id }

    package func factors(of session: SessionSnapshot) async throws(Rejection) -> AccountFactors {
        try await factors(of: session.facts.account)
    }

    /// - Throws: `sessionEnded` without such an account.
    package func factors(of account: UUID) async throws(Rejection) -> AccountFactors {
        let found: AccountFactors? = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne("select account_factors(\(account))::text")
                    .flatMap { AccountFactors(try JSON(parsing: try $0.value(0, as: String.self), limits: .provider)) }
            }
        }
        guard let found else { throw .sessionEnded() }
        return found
    }

    /// Begins to add a factor and returns a step with the TOTP secret, or a step for the sent code.
    package func begin(_ addition: Addition, session: SessionSnapshot, caller: Caller) async throws(Rejection)
        -> PendingStep
    {
        let facts = session.facts
        // A second factor protects a first one, and a guest has none.
        guard !session.account.isGuest || addition == .passkey else { throw .reauthRequired }
        let factors = try await factors(of: session)
        let step = try step(addition, factors)
        let context = try context(shared.starter.newID(), flow(step, session, caller), factors, session, caller)
        let sending = shared.sending(step, context)
        let refusal: Rejection? = try await rejecting(logger) {
            let stored = try shared.store.stored(context.flow, context.id)
            return try await pool.withConnection { connection in
                let row = try connection.queryOne(
                    """
                    select outcome, wait
                      from begin_factor_flow(\(context.id), \(facts.account), \(facts.session), \(RecentProof.seconds), \(facts.clientID),
                                             \(stored), \(sending.digest), \(Int32(FlowService.resendWait)),
                                             \(Int32(FlowService.life)),
                                             \(outgoing: sending.message), \(sending.price))
                    """)
                guard let row else { return .internalError }
                return try FlowOpening.refusal(row)
            }
        }
        if let refusal { throw refusal }
        try await shared.send(sending, step.dispatch?.purpose, of: context.flow)
        return try shared.shown(context)
    }

    /// Confirms the new factor; recovery codes of an account's first factor are shown only once.
    ///
    /// The proof of the factor raises the session's level; a guest gets another session to go on with.
    package func confirm(
        flow text: String, response: StepResponse, session: SessionSnapshot, caller: Caller
    ) async throws(Rejection) -> (factor: UUID, recoveryCodes: [String]?, renewed: IssuedSession?) {
        let token = try shared.tokens.parse(text, .factor)
        let id = token.id
        guard token.client == session.facts.clientID else { throw .flowExpired }
        let loaded = try await shared.load(id, .factor, try request(of: session, caller))
        guard loaded.account == session.facts.account, let step = loaded.flow.progress.step else { throw .flowExpired }
        // The statement of the answer counts the tries: the step judges as at its first one.
        var context = try context(id, loaded.flow, loaded.factors, session, caller)
        context.revision = loaded.revision
        let verdict = try await step.judge(response, context)
        // Another mailbox is another factor, with a flow of its own. It is no guess at the code.
        if case .goOn = verdict { throw .invalidField(.code, .required) }
        guard case .right(let right) = verdict, let enrols = right.enrols else {
            _ = try await write(nil, nil, context, session, caller)
            throw .internalError
        }
        let codes = tools.newRecoveryCodes(enrols, context)
        let effect = tools.effect(of: enrols.named(response.cleanFactorName), codes, account: session.facts.account)
        let renewed = try await write(right, effect, context, session, caller)
        return (enrols.id, codes, renewed)
    }

    private func write(
        _ right: Right?, _ effect: FlowEffect?, _ context: FlowContext,
        _ session: SessionSnapshot, _ caller: Caller
    ) async throws(Rejection) -> IssuedSession? {
        let facts = session.facts
        let proofs = try await proofs(of: facts.session).adding(right?.proof)
        let effects = effect.map { [$0] } ?? []
        let isRight = right.isRight
        let digest = right?.code.map { shared.digest($0, context.id) }
        let renewal = try shared.starter.renewal(
            of: session, at: try shared.client(of: session), provider: FirstFactor.passkey.rawValue, proofs: proofs,
            caller: caller)
        let (refusal, isRenewed): (Rejection?, Bool) = try await rejecting(logger) {
            try await pool.withConnection { connection in
                let row = try connection.queryOne(
                    """
                    select outcome, wait, tries_left, coalesce(renewed, false)
                      from answer_factor_flow(\(context.id), \(Int32(context.revision)), \(isRight), \(digest),
                           \(FlowLimits.steps), \(JSONText(JSON.array(effects.map(\.json)).text)), \(facts.account),
                           \(facts.session), \(RecentProof.seconds), \(facts.clientID), \(caller.address), \(caller.requestID),
                           \(JSONText(proofs.json.text)), \(proofs.methods), \(proofs.level), \(renewing: renewal))
                    """)
                guard let row else { return (.internalError, false) }
                return (try FlowConfirmation.refusal(row), try row.value(3))
            }
        }
        if let refusal { throw refusal }
        directory.forget(session: facts.session)
        guard let renewal, isRenewed else { return nil }
        return try await shared.starter.issued(renewal, for: session.account)
    }

    private func proofs(of session: UUID) async throws(Rejection) -> Proofs {
        try await rejecting(logger) {
            try await pool.withConnection { connection in
                let row = try connection.queryOne(
                    "select coalesce(proofs, '[]')::text from sessions where id = \(session)")
                return try row.map { Proofs(try JSON(parsing: try $0.value(0, as: String.self), limits: .provider)) }
                    ?? Proofs()
            }
        }
    }

    // MARK: Helpers

    private func step(_ addition: Addition, _ factors: AccountFactors) throws(Rejection) -> any FlowStep {
        switch addition {
        case .totp: return TOTPSetUpStep()
        case .passkey:
            _ = try tools.usableRelyingParty
            return PasskeySetUpStep()
        case .email(let typed):
            guard let address = EmailAddress(typed) else {
                throw .invalidField(.email, .notAnEmailAddress)
            }
            // Without a password, the sign-in method is this address or a provider that opens with it.
            guard factors.hasPassword || !factors.emails.contains(where: { $0.key == address.key }),
                factors.isIndependent(.email(address))
            else { throw .factorNotIndependent }
            return CodeSetUpStep(.email(address))
        case .sms(let typed):
            guard let number = PhoneNumber(typed) else {
                throw .invalidField(.phone, .notAPhoneNumber)
            }
            guard shared.outbox.reaches(.sms) else { throw .deliveryUnavailable }
            try shared.outbox.admit(.phone(number))
            guard factors.isIndependent(.phone(number)) else { throw .factorNotIndependent }
            return CodeSetUpStep(.phone(number))
        }
    }

    private func flow(_ step: any FlowStep, _ session: SessionSnapshot, _ caller: Caller) -> SignInFlow {
        SignInFlow(
            provider: session.facts.provider, language: caller.language ?? "", session: session.facts.session,
            progress: FlowProgress(step: step))
    }

    /// Returns the sign-in methods that users of the session's client can use today.
    func signInMethods(of session: SessionSnapshot) throws(Rejection) -> [String] {
        signIn.signInMethods(of: try shared.client(of: session))
    }

    private func request(of session: SessionSnapshot, _ caller: Caller) throws(Rejection) -> SignInRequest {
        SignInRequest(client: try shared.client(of: session), device: DeviceHint(), caller: caller)
    }

    private func context(
        _ id: UUID, _ flow: SignInFlow, _ factors: AccountFactors, _ session: SessionSnapshot, _ caller: Caller
    ) throws(Rejection) -> FlowContext {
        shared.context(
            id, .factor, flow, account: session.facts.account, factors: factors, try request(of: session, caller))
    }
}

extension AccountFactors {
    /// Whether the account's password was set independently of codes to this address.
    fileprivate func isIndependent(_ destination: Destination) -> Bool {
        !hasPassword || passwordSetThrough != destination.proof.thing
    }
}

extension Enrolment {
    fileprivate var id: UUID {
        switch self {
        case .factor(let factor): factor.id
        case .passkey(let passkey): passkey.id
        }
    }

    /// Returns the enrolment with the user's name for it.
    fileprivate func named(_ name: String?) -> Enrolment {
        switch self {
        case .factor(var factor):
            factor.name = name
            return .factor(factor)
        case .passkey(var passkey):
            passkey.name = name
            return .passkey(passkey)
        }
    }
}
