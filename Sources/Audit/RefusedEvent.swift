package import Foundation
package import Vocabulary

/// A refusal for the audit log: the action and the reason.
///
/// Changes write their own row in their own transaction.
package struct RefusedEvent: Sendable, Equatable {
    /// The action, such as `sign_in` or `refresh`.
    package var action: String
    /// The catalogue code.
    package var reason: String
    package var accountID: UUID?
    package var sessionID: UUID?
    package var clientID: String?
    package var provider: String?
    package var caller: Caller
    /// Details as a JSON text of names and codes; never a value from the request.
    package var detail: String?

    package init(
        action: String, reason: String, accountID: UUID? = nil, sessionID: UUID? = nil, clientID: String? = nil,
        provider: String? = nil, caller: Caller, detail: String? = nil
    ) {
        (self.action, self.reason, self.accountID, self.sessionID) = (action, reason, accountID, sessionID)
        (self.clientID, self.provider, self.caller, self.detail) = (clientID, provider, caller, detail)
    }
}
