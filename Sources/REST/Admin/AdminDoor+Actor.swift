import Clients
import HTTPServer
import Hummingbird
import OperatorAccess
import Sessions
import Vocabulary

/// Who calls the administration API.
extension AdminDoor {
    /// The operator of a session, or the back end of an access key.
    func actor(_ request: Request, _ call: inout DoorCall) async throws -> AdminActor {
        if let text = request.headers.credentials(.bearer), AccessKey.isKey(text) {
            return try await actor(try clients.accessKey(bearer: text), &call)
        }
        try await call.prove(request, by: proofs)
        guard let token = request.headers.accessToken(provedBy: call.caller.key) else { throw Rejection.tokenMissing }
        do throws(Rejection) {
            let session = try await directory.check(token, for: .administration, at: directory.now)
            try call.isBy(session)
            try clients.require(.administration, of: session)
            return .session(account: session.facts.account, session: session.facts.session, call.caller)
        } catch {
            // The token of a client for itself has no session.
            guard error == .tokenInvalid else { throw error }
            let proved = try directory.issuer.accessKey(of: token, at: directory.now)
            return try await actor(try clients.accessKey(ofToken: proved), &call)
        }
    }

    /// A proved key is named before its limits are checked: its refusal may mean that it was stolen.
    private func actor(
        _ held: ClientRegistry.HeldKey, _ call: inout DoorCall
    ) async throws(AdminRefusal) -> AdminActor {
        (call.clientID, call.caller.accessKey) = (held.client.id, held.key.id)
        try held.key.admit(call.caller, at: directory.now)
        await clients.keyUses.note(held.key)
        return .accessKey(held.key.id, held.key.actor, call.caller)
    }
}
