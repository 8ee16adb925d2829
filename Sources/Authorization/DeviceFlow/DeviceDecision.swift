package import Clients
package import Foundation
package import Sessions
import SignIn

/// The next event for a user who typed the code of a device: the rules of single sign-on, without the requests of an app.
package enum DeviceDecision: Equatable, Sendable {
    /// The user says what the device may have; always, also for our own apps (RFC 8628 §5.4).
    case ask
    /// The session gets a second factor.
    case raise
    /// The user proves an identity at the device's app anew.
    case signIn
    /// The app accepts no sign-in of this user.
    case refuse

    /// - Parameters:
    ///   - begun: when the device asked.
    ///   - canRaise: whether the account can prove a second factor; true until it turned out otherwise.
    package init(
        _ session: SessionSnapshot, for client: Client, begun: Date, canRaise: Bool = true, now: Date
    ) {
        // A session that began at this app for the device, and still does not serve the app, never will.
        let isOwn = session.facts.clientID == client.id && session.createdAt >= begun
        self =
            switch SingleSignOn(session, for: client, in: .gateway, at: now) {
            case .serves: .ask
            case .secondFactorDue where canRaise: .raise
            case .secondFactorDue, .signInDue: isOwn ? .refuse : .signIn
            }
    }
}
