import Accounts
import OperatorAccess

extension AccountAction {
    package static let endSessions = AccountAction(
        name: "end_sessions", right: .endSessions, part: .sessions,
        arguments: [
            ActionArgument(name: "session", kind: .id, help: "End only this session.", isOptional: true)
        ],
        ends: .all, help: "End all sessions of an account, or one.", perform: end)

    static let endSession = AccountAction(
        name: "end_session", right: .endSessions, ownWord: "end-sessions", interfaces: [.form], part: .session,
        arguments: endSessions.arguments, perform: end)

    /// The console begins it, because it sets a cookie.
    ///
    /// Tools use the token endpoint. The command line has no operator to name.
    package static let impersonate = AccountAction(
        name: "impersonate", right: .impersonate, interfaces: [.form], reversal: .opposite,
        isPossible: { $0.isActive && !$0.isOperator && !$0.isGuest })

    private static func end(_ change: ActionRequest) async throws -> ActionOutcome {
        let session = try change.optionalID("session")
        try await change.services.care.endSessions(
            session, of: change.account, because: change.reason, by: change.actor)
        return .done(report: session == nil ? "has no session" : "has one session less")
    }
}
