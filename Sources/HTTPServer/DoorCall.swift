import Accounts
import Foundation
import Hummingbird
import Sessions

/// One call of a door: the caller, and the details that a refusal records.
struct DoorCall: Sendable {
    var caller: Caller
    var clientID: String?
    /// The client's id in the dialect of the door.
    var dialectClientID: String?
    var provider: String?
    var accountID: UUID?
    var sessionID: UUID?
    /// The member of a JSON body that holds the fields of the request (RFC 6901); empty for the body itself.
    var fieldsUnder = ""
    /// The field that holds the new password of the request.
    var newPasswordField = RequestField.newPassword

    init(_ request: Request, _ context: GatewayContext) {
        caller = Caller(
            address: context.clientAddress ?? "local", requestID: context.requestID,
            userAgent: request.headers.value(.userAgent),
            language: request.headers.value(.acceptLanguage).flatMap(Language.accepted)?.rawValue)
    }

    /// Records the sign-in method of our own pending flow.
    ///
    /// A provider's sign-in method is unknown here.
    mutating func isAbout(_ flow: String, of flows: SignInFlows) {
        if flows.kind(of: flow) != .provider { provider = PasswordSignInService.provider }
    }

    mutating func isBy(_ session: SessionSnapshot) {
        (accountID, sessionID, clientID) = (session.facts.account, session.facts.session, session.facts.clientID)
    }
}
