import Accounts
import Foundation
import JSON
import Postgres
package import Sessions
package import Vocabulary

/// The result of linking an identity.
package struct Linked: Sendable {
    package let identity: LinkedIdentity
    /// Whether the identity is new to the account.
    package let isNew: Bool
    /// The session with which a guest goes on.
    package let renewed: IssuedSession?
}

/// Links one identity to the account of a live session, in one statement (`link_identity`).
struct Linking: Sendable {
    let presented: SignInStore.Presented
    let session: SessionSnapshot
    let identityID: UUID

    enum Answer: Sendable {
        /// A guest goes on with the session of the credential, if it is renewed.
        case linked(LinkedIdentity, isNew: Bool, isRenewed: Bool)
        /// The identity has another owner; the value is its id there.
        case inUse(UUID)
        case refused(Rejection)
    }

    private static let explain: JSON = ["rule": "linked_in_session"]

    func perform(_ connection: Connection) throws -> Answer {
        let identity = presented.identity
        let caller = presented.session.caller
        let row = try connection.row(
            """
            select outcome, identity_id, linked_at, coalesce(renewed, false)
              from link_identity(\(session.facts.account), \(session.facts.session), \(RecentProof.seconds), \(identityID), \(identity),
                                 \(JSONText(Self.explain.text)), \(presented.spending), \(presented.token?.clientID),
                                 \(presented.token?.sealed), \(session.facts.clientID), \(caller.address), \(caller.requestID),
                                 \(renewing: session.account.isGuest ? presented.session : nil))
            """)
        return switch try row.outcome(0, LinkingWord.self, RefusalWord.self) {
        case .own(.linked): .linked(try linked(row), isNew: true, isRenewed: try row.value(3))
        case .own(.alreadyLinked): .linked(try linked(row), isNew: false, isRenewed: false)
        case .own(.identityInUse): .inUse(try row.value(1))
        case .refused(let word): .refused(Rejection(word))
        }
    }

    private func linked(_ row: Row) throws -> LinkedIdentity {
        let identity = presented.identity
        return LinkedIdentity(
            id: try row.value(1), provider: identity.provider, subject: identity.subject, email: identity.email,
            emailVerified: identity.emailVerified, linkedAt: try row.value(2))
    }
}

/// The outcomes of `link_identity`.
enum LinkingWord: String, OutcomeWord {
    static let functions = ["link_identity"]

    case linked
    case alreadyLinked = "already_linked"
    case identityInUse = "identity_in_use"
}
