import Clients
import Cryptography
package import Foundation
import Messages
import Postgres
package import Sessions
package import Vocabulary

/// Manages a user's own addresses.
///
/// A new address counts once its code was confirmed. Until then the account stays unchanged. Any other change of the
/// account's sign-in methods ends the attempt.
package final class AddressService: Sendable {
    private let pool: ConnectionPool
    private let shared: FlowServices
    private let signIn: SignInService
    private let directory: SessionDirectory

    package init(_ shared: FlowServices, signIn: SignInService, directory: SessionDirectory) {
        (self.shared, self.signIn, self.directory) = (shared, signIn, directory)
        pool = shared.pool
    }

    /// One e-mail address or phone number.
    package struct Address: Sendable, Equatable {
        package let kind: SignInName.Kind
        package let text: String
        package let isProved: Bool
        package let isMain: Bool
        /// A relay address: it receives mail, but cannot sign in.
        package let isRelay: Bool
        package let addedAt: Date
        /// Since when messages to it bounce or are refused; nil if the newest was accepted.
        package let undeliverableSince: Date?
    }

    package func addresses(of session: SessionSnapshot) async throws(Rejection) -> [Address] {
        let account = session.facts.account
        return try await rejecting(shared.logger) {
            try await pool.query(
                """
                select 'email', address, proved_at is not null, is_main, is_relay, added_at, undeliverable_since
                  from account_emails where account_id = \(account)
                union all
                select 'phone', phone_key, proved_at is not null, is_main, false, added_at, undeliverable_since
                  from account_phones where account_id = \(account)
                order by 1, 4 desc, 6
                """
            ) { row in
                Address(
                    kind: SignInName.Kind(rawValue: try row.value(0)) ?? .email, text: try row.value(1),
                    isProved: try row.value(2), isMain: try row.value(3), isRelay: try row.value(4),
                    addedAt: try row.value(5), undeliverableSince: try row.value(6))
            }
        }
    }

    /// Sends a code to the new address.
    package func begin(_ typed: String, session: SessionSnapshot, caller: Caller) async throws(Rejection) -> PendingStep
    {
        let facts = session.facts
        let destination = try Self.destination(typed)
        guard shared.outbox.reaches(destination.medium) else { throw .deliveryUnavailable }
        try shared.outbox.admit(destination)
        let step = CodeSetUpStep(destination)
        let flow = SignInFlow(
            provider: facts.provider, language: caller.language ?? "", session: facts.session,
            progress: FlowProgress(step: step))
        let context = shared.context(
            shared.starter.newID(), .address, flow, account: facts.account, try request(of: session, caller))
        let sending = shared.sending(step, context)
        let refusal: Rejection? = try await rejecting(shared.logger) {
            let stored = try shared.store.stored(flow, context.id)
            return try await pool.withConnection { connection in
                let row = try connection.queryOne(
                    """
                    select outcome, wait
                      from begin_address_flow(\(context.id), \(facts.account), \(facts.session), \(RecentProof.seconds), \(facts.clientID),
                                              \(stored), \(sending.digest), \(Int32(FlowService.resendWait)),
                                              \(Int32(FlowService.life)),
                                              \(outgoing: sending.message), \(sending.price),
                                              \(caller.address), \(caller.requestID))
                    """)
                guard let row else { return .internalError }
                return try FlowOpening.refusal(row)
            }
        }
        if let refusal { throw refusal }
        try await shared.send(sending, .addressProof, of: flow)
        return try shared.shown(context)
    }

    /// Confirms the new address with its code, and returns it; for a guest also the session to go on with.
    @discardableResult
    package func confirm(
        flow text: String, response: StepResponse, session: SessionSnapshot, caller: Caller
    ) async throws(Rejection) -> (address: String, renewed: IssuedSession?) {
        let typed = try response.answer.typedCode()
        let token = try shared.tokens.parse(text, .address)
        let (id, client) = (token.id, token.client)
        let facts = session.facts
        guard client == facts.clientID else { throw .flowExpired }
        let loaded = try await shared.load(id, .address, try request(of: session, caller))
        guard loaded.account == facts.account, let destination = loaded.flow.progress.step?.dispatch?.destination
        else { throw .flowExpired }
        let digest = shared.digest(typed, id)
        let kind = destination.medium == .email ? SignInName.Kind.email : .phone
        let asking = shared.throttles.wrongAnswers(address: caller.address)
        let renewal = try renewal(of: session, by: destination, caller)
        let (refusal, isRenewed): (Rejection?, Bool) = try await rejecting(shared.logger) {
            try await pool.withConnection { connection in
                let row = try connection.queryOne(
                    """
                    select outcome, wait, tries_left, coalesce(renewed, false)
                      from confirm_address(\(id), \(Int32(loaded.revision)), \(digest), \(FlowLimits.steps), \(kind.rawValue),
                           \(destination.text), \(destination.key), \(facts.account), \(facts.session), \(RecentProof.seconds), \(facts.clientID),
                           \(caller.address), \(caller.requestID), \(asking), \(renewing: renewal))
                    """)
                guard let row else { return (.internalError, false) }
                return (try FlowConfirmation.refusal(row), try row.value(3))
            }
        }
        if let refusal { throw refusal }
        directory.forget(account: facts.account)
        guard let renewal, isRenewed else { return (destination.text, nil) }
        let email = destination.medium == .email ? destination.text : nil
        return (destination.text, try await shared.starter.issued(renewal, for: session.account, email: email))
    }

    private func renewal(
        of session: SessionSnapshot, by destination: Destination, _ caller: Caller
    ) throws(Rejection) -> SessionRequest? {
        let client = try shared.client(of: session)
        let factor: FirstFactor = destination.medium == .email ? .emailCode : .smsCode
        return try shared.starter.renewal(
            of: session, at: client, provider: factor.rawValue, proofs: Proofs([destination.proof]), caller: caller)
    }

    package func remove(_ typed: String, session: SessionSnapshot, caller: Caller) async throws(Rejection) {
        guard let name = SignInName(typed), name.kind != .userName else { throw .notFound }
        let facts = session.facts
        let client = try shared.client(of: session)
        let signInMethods = signIn.signInMethods(of: client)
        try await change(AddressRemoval.self, of: facts.account) { connection in
            try connection.row(
                """
                select remove_address(\(facts.account), \(name.kind.rawValue), \(name.key), \(signInMethods), \(facts.session), \(RecentProof.seconds), \(facts.clientID),
                                      \(caller.address), \(caller.requestID))
                """)
        }
    }

    /// Makes it the main address of the account.
    package func prefer(_ typed: String, session: SessionSnapshot, caller: Caller) async throws(Rejection) {
        guard let name = SignInName(typed), name.kind != .userName else { throw .notFound }
        let facts = session.facts
        try await change(AddressPreference.self, of: facts.account) { connection in
            try connection.row(
                """
                select prefer_address(\(facts.account), \(name.kind.rawValue), \(name.key), \(facts.session), \(RecentProof.seconds), \(facts.clientID),
                                      \(caller.address), \(caller.requestID))
                """)
        }
    }

    /// Applies the change on this server at once; other servers follow after the notification.
    private func change<Word: OutcomeWord>(
        _ word: Word.Type, of account: UUID, _ statement: @Sendable @escaping (Connection) throws -> Row
    ) async throws(Rejection) {
        _ = try await rejecting(shared.logger) {
            try await pool.withConnection { connection in try statement(connection).answer(as: word) }
        }
        directory.forget(account: account)
    }

    private static func destination(_ typed: String) throws(Rejection) -> Destination {
        if let number = PhoneNumber(typed) { return .phone(number) }
        guard let address = EmailAddress(typed) else {
            throw .invalidField(.address, SignInName.isNumber(typed) ? .notAPhoneNumber : .notAnEmailAddress)
        }
        return .email(address)
    }

    private func request(of session: SessionSnapshot, _ caller: Caller) throws(Rejection) -> SignInRequest {
        SignInRequest(client: try shared.client(of: session), device: DeviceHint(), caller: caller)
    }
}

/// The outcomes of `remove_address`.
enum AddressRemoval: String, OutcomeWord {
    static let functions = ["remove_address"]

    case removed
}

/// The outcomes of `prefer_address`.
enum AddressPreference: String, OutcomeWord {
    static let functions = ["prefer_address"]

    case changed
}
