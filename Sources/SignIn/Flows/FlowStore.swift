import Clients
import Cryptography
import Foundation
import JSON
import Messages
import Postgres
import Sessions
import Vocabulary

/// The statements of a flow: each is one round trip and one transaction (`Functions/steps/`).
struct FlowStore: Sendable {
    let pool: ConnectionPool
    let box: SealedBox

    enum Begun: Sendable {
        case begun(isKnown: Bool)
        case refused(Rejection)
    }

    /// Writes the flow of a known or unknown name, with the message that is due.
    func begin(
        _ id: UUID, _ flow: SignInFlow, _ name: SignInName, _ opening: NameSignInService.Opening, _ action: String,
        _ request: SignInRequest
    ) async throws -> Begun {
        let stored = try stored(flow, id)
        return try await pool.withConnection { connection in
            let row = try connection.queryOne(
                """
                select outcome, wait, known
                  from begin_code_flow(\(id), \(request.client.id), \(name.kind.rawValue), \(name.key), \(flow.linkFlow), \(stored),
                                       \(opening.known.digest), \(Int32(FlowService.resendWait)), \(Int32(FlowService.life)),
                                       \(outgoing: opening.known.message),
                                       \(opening.price), \(action), \(request.caller.address),
                                       \(request.caller.requestID))
                """)
            guard let row else { return .refused(.internalError) }
            if let refusal = try FlowOpening.refusal(row) { return .refused(refusal) }
            return .begun(isKnown: try row.value(2))
        }
    }

    /// Writes the flow of a step-up.
    func beginStepUp(
        _ id: UUID, _ flow: SignInFlow, _ session: AccessTokenFacts, _ caller: Caller
    ) async throws -> StepUpBeginning {
        try await pool.withConnection { connection in
            try connection.row(
                """
                select begin_step_up(\(session.account), \(session.session), \(id), \(JSONText(flow.facts.text)), \(Int32(FlowService.life)), \(caller.address),
                                     \(caller.requestID))
                """
            ).answer()
        }
    }

    /// The proved mailbox of the account with a user name.
    func address(ofUserName key: String) async throws -> String? {
        try await pool.withConnection { connection in
            try connection.queryOne(
                """
                select e.address from accounts a join account_emails e on e.account_id = a.id and e.proved_at is not null and not e.is_relay
                 where a.id = account_by_name('user_name', \(key)) and a.status = 'active' order by e.is_main desc limit 1
                """
            )?.value(0)
        }
    }

    /// What the owner of a name would rather prove first, on a device that the account knows.
    func preferredFirstFactor(of name: SignInName, knowing mark: KnownDevices.Mark) async throws -> FirstFactor? {
        try await pool.withConnection { connection in
            try connection.queryOne(
                """
                select first_factor from accounts where id = account_to_sign_in(\(name.kind.rawValue), \(name.key)) and status = 'active'
                   and is_known_device(id, \(mark.digest))
                """
            )?.value(0, as: String?.self).flatMap(FirstFactor.init)
        }
    }

    /// The message of a statement; all nil where the step sends no code.
    struct Sending: Sendable {
        var digest: [UInt8]?
        var message: OutgoingMessage?
        /// The notice that an address has no account; written after the flow, once a day for each address.
        var notice: OutgoingMessage?
        /// The bucket of the first mail of a day; nil after a proof, where each mail is sent alike.
        var once: Throttle?
        /// The buckets of the message.
        var price: [Throttle] = []
    }

    /// Writes the notice that an address has no account, at most once a day.
    ///
    /// - Returns: whether this is the first mail of the day to the address, and whether the notice was written.
    func tellOnce(
        _ notice: OutgoingMessage?, _ once: Throttle
    ) async throws -> (isFirst: Bool, isWritten: Bool) {
        try await pool.withConnection { connection in
            let row = try connection.queryOne(
                "select first, written from tell_once(\(outgoing: notice), \([once]))")
            guard let row else { throw Rejection.internalError }
            return (try row.value(0), try row.value(1))
        }
    }

    /// Replaces the pending step without a proof.
    func open(_ id: UUID, revision: Int, _ flow: SignInFlow, _ sending: Sending) async throws -> Rejection? {
        let stored = try stored(flow, id)
        let limits = FlowLimits.steps.lasting(flow.progress.step?.life ?? FlowService.life)
        return try await pool.withConnection { connection in
            let row = try connection.queryOne(
                """
                select outcome, wait
                  from open_flow_step(\(id), \(Int32(revision)), \(stored), \(sending.digest),
                                      \(Int32(flow.resendWait)), \(limits), \(outgoing: sending.message),
                                      \(sending.price))
                """)
            guard let row else { return .internalError }
            return try FlowOpening.refusal(row)
        }
    }

    /// Sends another code for the step that waits.
    func resend(_ flow: UUID, revision: Int, _ sending: Sending, _ caller: Caller) async throws -> Rejection? {
        try await pool.withConnection { connection in
            let row = try connection.queryOne(
                """
                select outcome, wait
                  from resend_flow_code(\(flow), \(Int32(revision)), \(sending.digest), \(Int32(FlowService.resendWait)),
                                        \(Int32(FlowService.mostResends)), \(outgoing: sending.message), \(sending.price),
                                        \(caller.address), \(caller.requestID))
                """)
            guard let row else { return .internalError }
            return try FlowResending.refusal(row)
        }
    }

    /// An answer with its verdict and its consequences.
    struct Answer: Sendable {
        let flow: UUID
        let revision: Int
        /// Nil where the database compares the code.
        let isRight: Bool?
        let codeDigest: [UInt8]?
        let effects: [FlowEffect]
        /// The flow at its next step; nil where the session is created.
        let next: SignInFlow?
        /// The code of the next step.
        let sending: Sending
        let session: SessionRequest
        /// The network buckets of a wrong answer.
        let asking: [Throttle]
        /// The digest by which the account may know the device.
        let mark: [UInt8]?
    }

    enum Answered: Sendable {
        case nextStep
        /// `ends`: the latest expiry of a session that replaces an older one.
        case signedIn(AccountSummary, ends: Date?)
        case refused(Rejection)
    }

    func answer(_ answer: Answer, account: UUID?) async throws -> Answered {
        let session = answer.session
        let next = try answer.next.map { try stored($0, answer.flow) }
        return try await pool.withConnection { connection in
            let row = try connection.queryOne(
                """
                select outcome, tries_left, wait, display_name, email, email_proved, account_created, session_ends
                  from answer_sign_in_flow(\(answer.flow), \(Int32(answer.revision)), \(answer.isRight), \(answer.codeDigest),
                       \(FlowLimits.steps), \(JSONText(JSON.array(answer.effects.map(\.json)).text)),
                       \(next), \(answer.sending.digest),
                       \(Int32(answer.next?.resendWait ?? FlowService.resendWait)), \(outgoing: answer.sending.message), \(answer.sending.price),
                       \(JSONText(session.proofs.json.text)), \(answer.next == nil), \(session), \(answer.mark),
                       \(answer.asking))
                """)
            guard let row else { return .refused(.internalError) }
            return try Self.answered(row, account)
        }
    }

    private static func answered(_ row: Row, _ account: UUID?) throws -> Answered {
        switch try row.outcome(0, FlowAnswer.self, RefusalWord.self) {
        case .own(.nextStep): .nextStep
        case .own(.signedIn):
            if let account {
                .signedIn(try AccountSummary(account, row, from: 3), ends: try row.value(7))
            } else {
                .refused(.internalError)
            }
        case .own(.codeWrong): .refused(.codeWrong(triesLeft: try row.value(1)))
        case .own(.wait): .refused(.throttled(retryAfter: try row.wholeSeconds(2)))
        case .refused(let word): .refused(Rejection(word))
        }
    }
}

extension AccountSummary {
    /// Reads display_name, email, email_proved and account_created.
    init(_ account: UUID, _ row: Row, from column: Int) throws {
        self.init(
            id: account, displayName: try row.value(column), email: try row.value(column + 1),
            emailVerified: try row.value(column + 2, as: Bool?.self) ?? false, createdAt: try row.value(column + 3))
    }
}
