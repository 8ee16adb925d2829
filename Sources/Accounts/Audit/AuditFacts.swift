package import Foundation

/// Who asked, for the audit log and the session list: facts about a request, none of them secret.
package struct Caller: Sendable, Equatable {
    /// The peer's address in text form.
    package let address: String
    package let requestID: String
    package let userAgent: String?
    /// What they read, a tag of BCP 47; nil when nothing says so.
    package var language: String?

    package init(address: String, requestID: String, userAgent: String? = nil, language: String? = nil) {
        self.language = language
        self.address = address
        self.requestID = requestID
        self.userAgent = userAgent.map {
            String($0.unicodeScalars.filter { $0.value >= 0x20 }.prefix(200).map(Character.init))
        }
    }
}

/// A refusal worth remembering: what was tried and why it failed.
///
/// Changes write their own row in their own transaction.
package struct RefusedEvent: Sendable, Equatable {
    /// What was tried, such as `sign_in` or `refresh`.
    package var action: String
    /// The catalogue code.
    package var reason: String
    package var accountID: UUID?
    package var sessionID: UUID?
    package var clientID: String?
    package var provider: String?
    package var caller: Caller
    /// What exactly was wrong, as a JSON text of names and codes; never a value from the request.
    package var detail: String?

    package init(
        action: String, reason: String, accountID: UUID? = nil, sessionID: UUID? = nil, clientID: String? = nil,
        provider: String? = nil, caller: Caller, detail: String? = nil
    ) {
        (self.action, self.reason, self.accountID, self.sessionID) = (action, reason, accountID, sessionID)
        (self.clientID, self.provider, self.caller, self.detail) = (clientID, provider, caller, detail)
    }
}
