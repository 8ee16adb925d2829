import GatewayClient

/// The sign-in under way.
struct FakeFlow {
    /// Names it in requests; nil if none is pending.
    var token: String?
    var user = FakeUser()
    var provider: String?
    private var step: StepReply?
    private var count = 0

    /// The provider, unless the gateway itself knows the user.
    var foreignProvider: String? { provider.flatMap { Self.own.contains($0) ? nil : $0 } }

    private static let own: Set = ["password", "email_otp", "sms_otp", "passkey", "guest"]

    /// Asks the next question of the flow, or the first one of a new flow.
    mutating func ask(_ step: StepReply) -> Answer {
        if token == nil { count += 1 }
        let flow = token ?? "flow-\(count)"
        (self.step, token) = (step, flow)
        return Answer([
            "status": "next_step", "flow": .string(flow), "expires_in": .number(Double(step.lifetime)),
            "next_step": .object(step.members.merging(["type": .string(step.type)]) { $1 }),
        ])
    }

    /// The same question, after its code was sent again.
    mutating func askAgain(_ call: FakeGateway.Call) throws -> Answer {
        guard let step else { throw NoReply(call: call.name) }
        return ask(step)
    }
}
