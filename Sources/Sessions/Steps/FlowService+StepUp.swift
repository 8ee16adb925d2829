package import Accounts
import Foundation
import JSON
import Postgres

extension FlowService {
    /// Raises a session by a second factor: it ends in a new session of the higher level, and the old one is over.
    package func stepUp(
        _ session: SessionSnapshot, device: DeviceHint, handing: SessionHanding = .tokens, caller: Caller
    ) async throws(Rejection) -> SignInOutcome {
        let facts = session.facts
        guard let client = clients.client(facts.clientID) else { throw .clientUnknown }
        let flow = starter.newID()
        let state = SignInFlow(
            provider: facts.provider, proofs: Proofs(), language: caller.language ?? "", guessBucket: "")
        let outcome: String? = try await rejecting(logger) {
            try await store.pool.withConnection { connection in
                try connection.queryOne(
                    """
                    select begin_step_up(\(flow), \(facts.account), \(facts.session), \(JSONText(state.json.text)), \(caller.address),
                                         \(caller.requestID))
                    """
                )?.value(0)
            }
        }
        guard outcome == "next_step" else { throw SignInStore.rejection(outcome ?? "", nil) }
        return try await goOn(
            flow, SignInRequest(client: client, device: device, handing: handing, caller: caller))
    }
}
