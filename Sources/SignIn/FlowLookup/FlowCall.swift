package import Clients
import Foundation
package import Sessions
package import Vocabulary

/// A call about a pending flow: the flow's token, and the caller.
package struct FlowCall: Sendable {
    package let flow: String
    /// Whether the user's name and code led to the flow: the caller does not have its token.
    package let isNamed: Bool
    /// The client that must have begun the flow; nil where the front door does not know it.
    package let owner: Client?
    package let device: DeviceHint
    package let handing: SessionHanding
    /// The tokens of the session, if the call completes the sign-in: a flow keeps no order.
    package let tokens: TokenOrder
    package let caller: Caller
    /// Whether the token of the flow changes with every step.
    package let renewsFlowTokens: Bool
    /// The answer of a bot check's widget.
    package let botToken: String?

    package init(
        _ flow: String, isNamed: Bool = false, of owner: Client? = nil, device: DeviceHint = DeviceHint(),
        handing: SessionHanding = .tokens,
        tokens: TokenOrder = .gateway, renewsFlowTokens: Bool = false, botToken: String? = nil, caller: Caller
    ) {
        (self.flow, self.isNamed, self.owner, self.device) = (flow, isNamed, owner, device)
        (self.handing, self.tokens, self.caller) = (handing, tokens, caller)
        (self.renewsFlowTokens, self.botToken) = (renewsFlowTokens, botToken)
    }

    /// The same call about the flow after its next step.
    package func at(_ flow: String) -> FlowCall {
        FlowCall(
            flow, isNamed: isNamed, of: owner, device: device, handing: handing, tokens: tokens,
            renewsFlowTokens: renewsFlowTokens,
            botToken: botToken, caller: caller)
    }
}
