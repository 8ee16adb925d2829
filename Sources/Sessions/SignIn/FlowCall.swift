package import Accounts
import Foundation

/// A call about a pending flow: the flow's token, and the caller.
package struct FlowCall: Sendable {
    package let flow: String
    /// The client that must have begun the flow; nil where the front door does not know it.
    package let owner: Client?
    package let device: DeviceHint
    package let handing: SessionHanding
    /// The tokens of the session, if the call completes the sign-in: a flow keeps no order.
    package let tokens: TokenOrder
    package let caller: Caller

    package init(
        _ flow: String, of owner: Client? = nil, device: DeviceHint = DeviceHint(), handing: SessionHanding = .tokens,
        tokens: TokenOrder = .gateway, caller: Caller
    ) {
        (self.flow, self.owner, self.device) = (flow, owner, device)
        (self.handing, self.tokens, self.caller) = (handing, tokens, caller)
    }
}

extension FlowTokens {
    /// The flow's id, and the call as a request of the client that began the flow.
    ///
    /// - Throws: `flowExpired` for a token of another kind or of another client, `clientUnknown`.
    func open(
        _ call: FlowCall, _ kind: FlowKind, _ clients: ClientRegistry
    ) throws(Rejection) -> (flow: UUID, request: SignInRequest) {
        let (flow, clientID) = try parse(call.flow, kind)
        guard let client = clients.client(clientID) else { throw .clientUnknown }
        guard call.owner.map({ $0.id == client.id }) ?? true else { throw .flowExpired }
        return (
            flow,
            SignInRequest(
                client: client, device: call.device, handing: call.handing, tokens: call.tokens, caller: call.caller)
        )
    }
}
