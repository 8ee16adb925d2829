package import Clients
import Cryptography
package import Foundation
import JSON
package import Postgres
package import Vocabulary

/// The session of an app that begins from the session of a browser.
package struct AppSession: Sendable {
    let client: Client
    let binding: CodeBinding
    let tokens: TokenOrder
    let resources: ResourceScopes
    let claims: RequestedClaimNames
    /// Whether it goes on after the sign-out of the browser.
    let outlivesBrowser: Bool
    /// The stored authorization request that it answers.
    let request: UUID?

    package init(
        of client: Client, _ binding: CodeBinding, tokens: TokenOrder, resources: ResourceScopes = .none,
        claims: RequestedClaimNames = .none, outlivesBrowser: Bool, request: UUID? = nil
    ) {
        (self.client, self.binding, self.tokens, self.claims) = (client, binding, tokens, claims)
        (self.resources, self.outlivesBrowser, self.request) = (resources, outlivesBrowser, request)
    }
}

extension HandoverService {
    /// Begins the session of an app, and returns the code that passes it on (RFC 6749 §4.1.2).
    ///
    /// - Throws: `sessionEnded` if the browser's session is over, `stateUsed` for an authorization request that was
    ///   answered, `deletionWaits` where another vendor's protocol can't say so.
    package func begin(
        _ app: AppSession, from browser: UUID, of account: UUID, caller: Caller
    ) async throws(Rejection) -> String {
        let beginning = try beginning(app, from: browser, of: account, caller: caller)
        try await rejecting(logger) {
            try await pool.queryOne(beginning.statement) { try Beginning.check($0) }
        }
        return beginning.code
    }

    /// A session of an app that is about to begin, and the code that passes it on.
    package struct Beginning: Sendable {
        package let session: UUID
        package let code: String
        fileprivate let statement: SQL

        /// Begins it within the transaction of the connection; throws as ``HandoverService/begin(_:from:of:caller:)``.
        package func perform(on connection: Connection) throws {
            try Self.check(try connection.queryOne(statement))
        }

        fileprivate static func check(_ row: Row?) throws {
            switch try row?.value(0, as: HandoverWord.self) {
            case .handedOver: break
            case .sessionEnded: throw Rejection.sessionEnded()
            case .deletionWaits: throw Rejection.deletionWaits
            case .requestUsed: throw Rejection.stateUsed
            case nil: throw Rejection.internalError
            }
        }
    }

    /// - Parameter seconds: the life of the code.
    package func beginning(
        _ app: AppSession, from browser: UUID, of account: UUID, lasting seconds: Int = HandoverCode.life,
        caller: Caller
    ) throws(Rejection) -> Beginning {
        let profile = try TokenProfile(of: app.client, at: app.tokens.dialect)
        let code = codes.make(
            session: UUID.v7(at: directory.now, random: .system), app.binding, nonce: app.tokens.nonce)
        let digest = tokens.refreshTokens.first(for: code).digest
        let names = app.tokens.scopes.names + app.resources.names
        let scopes = names.isEmpty ? nil : names
        let claims = app.claims.stored.map { JSONText($0.text) }
        let statement: SQL = """
            select hand_over_session(
                p_account => \(account), p_browser => \(browser), p_request => \(app.request), p_session => \(code.session),
                p_client => \(app.client.id), p_digest => \(digest), p_unclaimed_seconds => \(Int32(seconds)),
                p_max_seconds => \(Int32(profile.refresh.maximum)),
                p_administers => \(app.client.audiences.contains(.administration)), p_scopes => \(scopes), p_claims => \(claims),
                p_dialect => \(app.tokens.dialect.stored), p_outlives => \(app.outlivesBrowser),
                p_address => \(caller.address), p_user_agent => \(caller.userAgent), p_request_id => \(caller.requestID),
                p_sector => \(app.client.sector))
            """
        return Beginning(session: code.session, code: codes.text(code), statement: statement)
    }
}

/// The outcomes of `hand_over_session`.
enum HandoverWord: String, OutcomeWord {
    static let functions = ["hand_over_session"]

    case handedOver = "handed_over"
    case sessionEnded = "session_ended"
    case deletionWaits = "deletion_waits"
    case requestUsed = "request_used"
}
