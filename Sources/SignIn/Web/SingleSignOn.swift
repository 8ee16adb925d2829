package import Clients
package import Foundation
package import Sessions
import Vocabulary

/// Whether the session of a browser serves an app that asks for a sign-in.
package enum SingleSignOn: Sendable, Equatable {
    /// The app gets a session without a question.
    case serves
    /// The app demands a second factor that the session lacks.
    case secondFactorDue
    case signInDue

    /// Judges by the rules of the app, as a new sign-in would.
    ///
    /// A proof that is older than the app's maximum lifetime counts no more: no session of the app would have lasted since.
    ///
    /// - Parameter dialect: the API in whose tokens the app gets its session.
    package init(_ session: SessionSnapshot, for client: Client, in dialect: TokenDialect, at now: Date) {
        let facts = session.facts
        guard facts.actor == nil else {
            self = Self.servesOperator(at: client, in: dialect) ? .serves : .signInDue
            return
        }
        let isAllowed = client.allows(provider: facts.provider) && client.acceptedAudiences[facts.provider] == nil
        let isYoung = now.timeIntervalSince(facts.authTime) < TimeInterval(client.refreshMaximum)
        guard isAllowed || session.account.isGuest && client.acceptsGuests, isYoung else {
            self = .signInDue
            return
        }
        let isShort = client.demandsSecondFactor && facts.acr != Proofs.multiFactor
        self = isShort ? .secondFactorDue : .serves
    }

    /// Whether an operator who acts for a user reaches the app: two factors were proved for that.
    ///
    /// The tokens of another vendor's API can't name the operator.
    private static func servesOperator(at client: Client, in dialect: TokenDialect) -> Bool {
        dialect == .gateway && !client.audiences.contains(.administration)
    }
}
