import Clients
import Foundation
package import Logging
package import Postgres
package import Sessions
import Vocabulary

/// Creates accounts without a credential, for clients that allow it.
///
/// The session is the only key to such an account, until the user adds a sign-in method (`sign_in/end_guest.sql`). It has
/// no proof: its `amr` is empty, and it may change nothing else about the account.
package final class GuestSignInService: Sendable {
    /// The sign-in method in tokens, metrics and the audit log.
    package static let provider = "guest"

    private let pool: ConnectionPool
    private let throttles: Throttles
    private let starter: SessionStarter
    private let logger: Logger

    package init(pool: ConnectionPool, throttles: Throttles, starter: SessionStarter, logger: Logger) {
        (self.pool, self.throttles, self.starter, self.logger) = (pool, throttles, starter, logger)
    }

    func signIn(_ request: SignInRequest) async throws(Rejection) -> SignInOutcome {
        guard request.client.acceptsGuests else { throw .guestsNotAllowed }
        try await pay(request)
        let account = starter.newID()
        let session = try starter.request(for: request, provider: Self.provider, proofs: Proofs())
        let (outcome, created): (GuestSignIn, Date) = try await rejecting(logger) {
            try await pool.withConnection { connection in
                let row = try connection.row(
                    """
                    select outcome, account_created
                      from sign_in_as_guest(\(account), \(session), \(gate: session))
                    """)
                return (try row.answer(), try row.value(1))
            }
        }
        switch outcome {
        case .signedIn: break
        // A client that demands a second factor accepts no guests.
        case .nextStep: throw .internalError
        }
        let summary = AccountSummary(
            id: account, displayName: nil, email: nil, emailVerified: false, isGuest: true, createdAt: created)
        return .signedIn(
            try await starter.signedIn(session, account: summary, identity: nil, isNew: true, deviceToken: nil))
    }

    /// The charge precedes the account, because each one costs rows.
    private func pay(_ request: SignInRequest) async throws(Rejection) {
        let price = throttles.guest(address: request.caller.address, client: request.client.id)
        let wait: Double = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne("select take_from_throttles(\(price))").map { try $0.value(0) } ?? 0
            }
        }
        guard wait <= 0 else { throw .throttled(retryAfter: Int(wait.rounded(.up))) }
    }
}

/// The outcomes of `sign_in_as_guest`.
enum GuestSignIn: String, OutcomeWord {
    static let functions = ["sign_in_as_guest"]

    case signedIn = "signed_in"
    case nextStep = "next_step"
}
