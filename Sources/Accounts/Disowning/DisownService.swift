package import Cryptography
package import Foundation
package import Logging
import Messages
package import Postgres
package import Sessions
package import Vocabulary

/// The sign-in that a notice reported.
package struct ReportedSignIn: Sendable, Equatable {
    package let clientID: String
    package let at: Date
    package let address: String?
    package let userAgent: String?
    /// Whether the account has a password, which must then be replaced.
    package let hasPassword: Bool
}

/// Ends the sessions of an account after its identity owner disowns a sign-in.
///
/// The ticket of the notice is the only proof: it reached a proved mailbox of the account.
package final class DisownService: Sendable {
    private let pool: ConnectionPool
    private let tickets: DisownTickets
    private let followUps: DisownTickets
    private let directory: SessionDirectory
    private let signInMethods: [String]
    private let logger: Logger
    private let now: @Sendable () -> Date

    /// - Parameter signInMethods: the ids of the sign-in methods that the present configuration offers.
    package init(
        pool: ConnectionPool, keys: MasterKeys, directory: SessionDirectory, signInMethods: [String], logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.pool, self.directory, self.logger, self.now) = (pool, directory, logger, now)
        self.signInMethods = signInMethods
        tickets = DisownTickets(keys: keys)
        followUps = DisownTickets(keys: keys, use: .followUp)
    }

    /// The sign-in of a ticket; it changes nothing.
    ///
    /// - Throws: `disownLinkInvalid` for an expired, forged or unknown ticket.
    package func reported(_ text: String) async throws(Rejection) -> ReportedSignIn {
        let ticket = try opened(text)
        let found = try await rejecting(logger) {
            try await pool.queryOne(
                """
                select s.client_id, s.created_at, s.address, s.user_agent,
                       exists (select from passwords w join accounts a on w.account_id in (a.id, a.merged_into) where a.id = s.account_id)
                  from sessions s where s.id = \(ticket.session) and s.account_id = \(ticket.account)
                """
            ) { row in
                try row.map { row in
                    ReportedSignIn(
                        clientID: try row.value(0), at: try row.value(1), address: try row.value(2),
                        userAgent: try row.value(3), hasPassword: try row.value(4))
                }
            }
        }
        guard let found else { throw .disownLinkInvalid }
        return found
    }

    /// Ends every session of the account, removes what they added since, and demands a new password if it has one.
    ///
    /// It also undoes a merge and a deletion that the user asked for since.
    ///
    /// - Throws: as ``reported(_:)``.
    package func disown(_ text: String, caller: Caller) async throws(Rejection) -> Disowned {
        let ticket = try opened(text)
        let disowned: Disowned? = try await rejecting(logger) {
            try await pool.queryOne(
                """
                select outcome, client_id, email, removed::text, kept::text
                  from disown_session(\(ticket.account), \(ticket.session), \(signInMethods), \(caller.address), \(caller.requestID))
                """
            ) { row in
                guard let row else { throw Rejection.internalError }
                return switch try row.value(0, as: DisownWord.self) {
                case .notFound: nil
                case .doneBefore: .doneBefore
                case .stillMerged: .stillMerged
                case .ended: .done(try self.report(row, of: ticket, resets: false))
                case .resetRequired: .done(try self.report(row, of: ticket, resets: true))
                }
            }
        }
        guard let disowned else { throw .disownLinkInvalid }
        directory.forget(account: ticket.account)
        if case .done(let report) = disowned { report.separated.forEach(directory.forget(account:)) }
        return disowned
    }

    private func report(_ row: Row, of ticket: DisownTicket, resets: Bool) throws -> DisownReport {
        DisownReport(
            reset: resets ? DisownReset(client: try row.value(1), mailbox: try row.value(2)) : nil,
            removed: try DisownedMethod.list(try row.value(3)),
            kept: try DisownedMethod.list(try row.value(4)),
            followUp: followUps.text(
                DisownTicket(
                    account: ticket.account, session: ticket.session,
                    expires: now().addingTimeInterval(TimeInterval(DisownTickets.followUpLife)))))
    }

    /// Removes a method that came since the disowned sign-in, unless it is the last usable one, and returns those that stay.
    ///
    /// - Throws: `disownLinkInvalid` for an expired or forged follow-up.
    package func remove(
        _ kind: String, _ id: String, followUp text: String, caller: Caller
    ) async throws(Rejection) -> (kept: [DisownedMethod], isLastMethod: Bool) {
        let ticket = try followUp(text)
        let (outcome, kept): (DisownedRemoval, [DisownedMethod]) = try await rejecting(logger) {
            try await pool.withConnection { connection in
                let row = try connection.row(
                    """
                    select outcome, kept::text
                      from drop_disowned_method(\(ticket.account), \(ticket.session), \(kind), \(id), \(self.signInMethods), \(caller.address),
                                                \(caller.requestID))
                    """)
                return (try row.value(0), try DisownedMethod.list(try row.value(1)))
            }
        }
        directory.forget(account: ticket.account)
        return (kept, outcome == .lastMethod)
    }

    /// The way to a new password after the follow-up page.
    ///
    /// - Throws: `disownLinkInvalid` for an expired or forged follow-up, and where no reset is due.
    package func reset(followUp text: String, caller: Caller) async throws(Rejection) -> DisownReset {
        let ticket = try followUp(text)
        let reset: DisownReset? = try await rejecting(logger) {
            try await pool.queryOne(
                """
                select client_id, email
                  from begin_disowned_reset(\(ticket.account), \(ticket.session), \(signInMethods), \(caller.address), \(caller.requestID))
                 where client_id is not null
                """
            ) { row in try row.map { DisownReset(client: try $0.value(0), mailbox: try $0.value(1)) } }
        }
        guard let reset else { throw .disownLinkInvalid }
        return reset
    }

    private func followUp(_ text: String) throws(Rejection) -> DisownTicket {
        guard let ticket = followUps.open(text, at: now()) else { throw .disownLinkInvalid }
        return ticket
    }

    private func opened(_ text: String) throws(Rejection) -> DisownTicket {
        guard let ticket = tickets.open(text, at: now()) else { throw .disownLinkInvalid }
        return ticket
    }
}
