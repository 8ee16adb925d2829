import Accounts
import OperatorAccess

extension AccountAction {
    package static let endSessions = AccountAction(
        name: "end_sessions", right: .endSessions, ownPath: "sessions", removes: true, part: .sessions,
        arguments: [
            ActionArgument(name: "session", kind: .id, help: "End only this session.", isOptional: true, isLocal: true)
        ],
        ends: .all, help: "End all sessions of an account, or one.", perform: end)

    static let endSession = AccountAction(
        name: "end_session", right: .endSessions, ownWord: "end-sessions", ownPath: "sessions/{session}", removes: true,
        interfaces: [.endpoint, .form], part: .session,
        arguments: [ActionArgument(name: "session", kind: .id, help: "The session's id.")], perform: end)

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
