package import Accounts
import Foundation

/// A call about a pending flow: the flow's token, and the caller.
package struct FlowCall: Sendable {
    package let flow: String
    /// The client that must have begun the flow; nil where the front door does not know it.
    package let owner: Client?
    package let device: DeviceHint
    package let handing: SessionHanding
    package let caller: Caller
    /// Whether the token of the flow changes with every step.
    package let renewsFlowTokens: Bool

    package init(
        _ flow: String, of owner: Client? = nil, device: DeviceHint = DeviceHint(), handing: SessionHanding = .tokens,
        renewsFlowTokens: Bool = false, caller: Caller
    ) {
        (self.flow, self.owner, self.device) = (flow, owner, device)
        (self.handing, self.renewsFlowTokens, self.caller) = (handing, renewsFlowTokens, caller)
    }
}
