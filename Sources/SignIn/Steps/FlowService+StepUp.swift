import Clients
import Foundation
import JSON
import Postgres
import Sessions
import Vocabulary

extension FlowService {
    /// Raises a session by a second factor: it ends in a new session of the higher level, and the old one is over.
    func stepUp(
        _ session: SessionSnapshot, device: DeviceHint, handing: SessionHanding, caller: Caller
    ) async throws(Rejection) -> SignInOutcome {
        let facts = session.facts
        guard let client = clients.client(facts.clientID) else { throw .clientUnknown }
        let flow = starter.newID()
        let state = SignInFlow(
            provider: facts.provider, language: caller.language ?? "")
        let outcome: StepUpBeginning = try await rejecting(logger) {
            try await store.pool.withConnection { connection in
                try connection.row(
                    """
                    select begin_step_up(\(facts.account), \(facts.session), \(flow), \(JSONText(state.facts.text)), \(Int32(Self.life)), \(caller.address),
                                         \(caller.requestID))
                    """
                ).answer()
            }
        }
        switch outcome {
        case .nextStep:
            return try await goOn(
                flow, SignInRequest(client: client, device: device, handing: handing, caller: caller))
        }
    }
}
