package import Accounts
package import Cryptography
package import Foundation
package import Logging
package import Postgres

/// The sign-in that a notice reported.
package struct ReportedSignIn: Sendable, Equatable {
    package let account: UUID
    package let session: UUID
    package let clientID: String
    package let at: Date
    package let address: String?
    package let userAgent: String?
    /// Whether the account has a password, which must then be replaced.
    package let hasPassword: Bool
}

/// The result of disowning a sign-in.
package enum Disowned: Sendable, Equatable {
    /// Every session of the account ended; it has no password.
    case ended
    /// Every session of the account ended, and a new password is due.
    ///
    /// - Parameters:
    ///   - client: the app of the reported sign-in.
    ///   - mailbox: the proved main address of the account; nil if it has none.
    case resetDue(client: String, mailbox: String?)
    /// It was disowned before; nothing changed.
    case doneBefore
}

/// Ends the sessions of an account after its identity owner disowns a sign-in.
///
/// The ticket of the notice is the only proof: it reached a proved mailbox of the account.
package struct DisownService: Sendable {
    private let pool: ConnectionPool
    private let tickets: DisownTickets
    private let directory: SessionDirectory
    private let logger: Logger
    private let now: @Sendable () -> Date

    package init(
        pool: ConnectionPool, keys: MasterKeys, directory: SessionDirectory, logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.pool, self.directory, self.logger, self.now) = (pool, directory, logger, now)
        tickets = DisownTickets(keys: keys)
    }

    /// The sign-in of a ticket; it changes nothing.
    ///
    /// - Throws: `disownLinkInvalid` for an expired, forged or unknown ticket.
    package func reported(_ text: String) async throws(Rejection) -> ReportedSignIn {
        let ticket = try opened(text)
        let found = try await rejecting(logger) {
            try await pool.queryOne(
                """
                select s.client_id, s.created_at, s.address, s.user_agent, exists (select from passwords w where w.account_id = s.account_id)
                  from sessions s where s.id = \(ticket.session) and s.account_id = \(ticket.account)
                """
            ) { row in
                try row.map { row in
                    ReportedSignIn(
                        account: ticket.account, session: ticket.session, clientID: try row.value(0),
                        at: try row.value(1), address: try row.value(2), userAgent: try row.value(3),
                        hasPassword: try row.value(4))
                }
            }
        }
        guard let found else { throw .disownLinkInvalid }
        return found
    }

    /// Ends every session of the account, and demands a new password if it has one.
    ///
    /// - Throws: as ``reported(_:)``.
    package func disown(_ text: String, caller: Caller) async throws(Rejection) -> Disowned {
        let ticket = try opened(text)
        let disowned: Disowned? = try await rejecting(logger) {
            try await pool.queryOne(
                """
                select outcome, client_id, email
                  from disown_session(\(ticket.account), \(ticket.session), \(caller.address), \(caller.requestID))
                """
            ) { row in
                guard let row else { throw Rejection.internalError }
                return switch try row.value(0, as: DisownWord.self) {
                case .notFound: nil
                case .doneBefore: .doneBefore
                case .ended: .ended
                case .resetRequired: .resetDue(client: try row.value(1), mailbox: try row.value(2))
                }
            }
        }
        guard let disowned else { throw .disownLinkInvalid }
        directory.forget(account: ticket.account)
        return disowned
    }

    private func opened(_ text: String) throws(Rejection) -> DisownTicket {
        guard let ticket = tickets.open(text, at: now()) else { throw .disownLinkInvalid }
        return ticket
    }
}

/// The outcomes of `disown_session`.
enum DisownWord: String, OutcomeWord {
    static let functions = ["disown_session"]

    case notFound = "not_found"
    case doneBefore = "done_before"
    case ended
    case resetRequired = "reset_required"
}
