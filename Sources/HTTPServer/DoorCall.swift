package import Foundation
import HTTPTypes
package import Hummingbird
package import Sessions
package import SignIn
package import Vocabulary

/// One call of a door: the action, the caller, and the details that a refusal records.
package struct DoorCall: Sendable {
    /// The name of the call in metrics and in the audit log.
    package var action: String
    package var caller: Caller
    package var clientID: String?
    /// The client's id in the dialect of the door.
    package var dialectClientID: String?
    package var provider: String?
    package var accountID: UUID?
    package var sessionID: UUID?
    /// The member of a JSON body that holds the fields of the request (RFC 6901); empty for the body itself.
    package var fieldsUnder = ""
    /// The field that holds the new password of the request.
    package var newPasswordField = RequestField.newPassword
    /// Whether the method only reads (RFC 9110 §9.2.1).
    private let onlyReads: Bool

    package init(_ action: String, _ request: Request, _ context: GatewayContext) {
        self.action = action
        onlyReads = request.method == .get || request.method == .head
        caller = Caller(
            address: context.clientAddress ?? "local", requestID: context.requestID,
            userAgent: request.headers.value(.userAgent),
            language: request.headers.value(.acceptLanguage).flatMap(Language.accepted)?.rawValue)
    }

    /// Records the sign-in method of our own pending flow.
    ///
    /// A provider's sign-in method is unknown here.
    package mutating func isAbout(_ flow: String, of flows: SignInFlows) {
        if flows.kind(of: flow) != .provider { provider = PasswordSignInService.provider }
    }

    /// Records the session of the call.
    ///
    /// - Parameter isHarmless: whether an operator who acts for the user may make the call, although its method may change
    ///   something.
    /// - Throws: `operatorActs` for any other call that may change something, where an operator acts for the user.
    package mutating func isBy(_ session: SessionSnapshot, isHarmless: Bool = false) throws(Rejection) {
        (accountID, sessionID, clientID) = (session.facts.account, session.facts.session, session.facts.clientID)
        guard session.facts.actor == nil || onlyReads || isHarmless else { throw .operatorActs }
    }
}

/// A call of any kind, with the details that the log keeps.
package protocol LoggedCall {
    var logged: DoorCall { get }
}

extension DoorCall: LoggedCall {
    package var logged: DoorCall { self }
}
