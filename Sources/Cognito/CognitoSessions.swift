import Clients
import Foundation
import HTTPServer
import JSON
import Sessions
import Vocabulary

/// The user's sessions at the apps of the pool.
struct CognitoSessions: CognitoOperations {
    let calls: CognitoCalls
    let sessions: SessionService

    private enum Associated: String, CaseIterable {
        case none = "NONE"
        case linked = "LINKED"
    }

    /// `ListUserSessions`: by pages, the newest session first.
    func listUserSessions(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let list = try await list(of: try await session(request, &call))
        let after = try request.optional("NextToken", most: CognitoSessionList.mostCursor)
        return try list.page(after: after).json
    }

    /// `RevokeUserSession`: ends another session of the user, with `LINKED` the browser's session of it, too.
    func revokeUserSession(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let session = try await session(request, &call)
        let id = try request.text("SessionId", most: CognitoSessionList.mostCursor)
        let associated = try request.optionalChoice("RevokeAssociatedSessions", of: Associated.self) ?? .none
        let ends = try await list(of: session).ends(of: id, withLinked: associated == .linked)
        let facts = session.facts
        for (index, target) in ends.enumerated() {
            let ended = try await sessions.end(
                target, of: facts.account, reason: "ended_by_owner", client: facts.clientID, caller: call.caller)
            // The end of the first may end the other one.
            guard ended || index > 0 else { throw Rejection.notFound }
        }
        return [:]
    }

    private func list(of session: SessionSnapshot) async throws -> CognitoSessionList {
        let pool = calls.clients.client(session.facts.clientID)?.dialects.cognito?.poolID ?? ""
        let apps = calls.clients.apps(inPool: pool).compactMap { app in
            app.dialects.cognito.map { (app.id, $0.clientID) }
        }
        return CognitoSessionList(
            try await sessions.list(account: session.facts.account), current: session.facts.session,
            apps: Dictionary(apps) { first, _ in first })
    }
}
