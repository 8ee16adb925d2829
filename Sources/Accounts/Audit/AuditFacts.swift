package import Foundation

/// The origin of a request, for the audit log and the session list; not secret.
package struct Caller: Sendable, Equatable {
    /// The peer's address in text form.
    package let address: String
    package let requestID: String
    package let userAgent: String?
    /// The user's language, a BCP 47 tag; nil if unknown.
    package var language: String?
    /// The id of the access key with which a back end passes on a user's sign-in; nil for the user's own request.
    package var accessKey: String?

    package init(address: String, requestID: String, userAgent: String? = nil, language: String? = nil) {
        self.language = language
        self.address = address
        self.requestID = requestID
        self.userAgent = userAgent.map {
            String($0.unicodeScalars.filter { $0.value >= 0x20 }.prefix(200).map(Character.init))
        }
    }
}

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
