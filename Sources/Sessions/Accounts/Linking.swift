import Accounts
import Cryptography
import Foundation
import JSON
import Postgres

/// One identity on its way to the account of a live session: one statement (`link_identity`).
struct Linking: Sendable {
    let presented: SignInStore.Presented
    let session: SessionSnapshot
    let identityID: UUID

    enum Answer: Sendable {
        case linked(LinkedIdentity, isNew: Bool)
        /// It is somebody else's: the id that it has there.
        case inUse(UUID)
        case refused(Rejection)
    }

    private static let explain: JSON = ["rule": "linked_in_session"]

    func perform(_ connection: Connection) throws -> Answer {
        let identity = presented.identity
        let caller = presented.session.caller
        let row = try connection.queryOne(
            """
            select outcome, spent_position, identity_id, linked_at
              from link_identity(\(session.facts.account), \(session.facts.session), \(identityID), \(identity),
                                 \(JSONText(Self.explain.text)), \(presented.spending), \(presented.token?.clientID),
                                 \(presented.token?.sealed), \(session.facts.clientID), \(caller.address), \(caller.requestID))
            """)
        guard let row else { return .refused(.internalError) }
        let outcome: String = try row.value(0)
        if outcome == "identity_in_use" { return .inUse(try row.value(2)) }
        guard outcome == "linked" || outcome == "already_linked" else {
            return .refused(SignInStore.rejection(outcome, presented.spending.kind(at: try row.value(1))))
        }
        return .linked(
            LinkedIdentity(
                id: try row.value(2), provider: identity.provider, subject: identity.subject, email: identity.email,
                emailVerified: identity.emailVerified, linkedAt: try row.value(3)), isNew: outcome == "linked")
    }
}
