import Postgres
import Sessions

/// What bounds a flow, as the functions of the schema take it (`flow_limits`).
struct FlowLimits: Sendable, Equatable {
    /// Wrong answers to one step.
    let mostTries: Int
    /// The lifetime of a step, in seconds.
    private(set) var life = FlowService.life

    /// Of a sign-in, a new factor or an address.
    static let steps = FlowLimits(mostTries: FlowService.mostTries)
    static let signUp = FlowLimits(mostTries: SignUpService.mostTries)
    /// Of a step that a provider leads.
    static let provider = FlowLimits(mostTries: ProviderLedStep.mostTries)

    func lasting(_ seconds: Int) -> FlowLimits { FlowLimits(mostTries: mostTries, life: seconds) }
}

extension SQL.StringInterpolation {
    /// Binds the composite value `flow_limits`.
    mutating func appendInterpolation(_ limits: FlowLimits) {
        appendLiteral("row(")
        appendInterpolation(Int32(limits.mostTries))
        appendLiteral(", ")
        appendInterpolation(GuessBudget.burst)
        appendLiteral(", ")
        appendInterpolation(GuessBudget.periodMilliseconds)
        appendLiteral(", ")
        appendInterpolation(Int32(clamping: limits.life))
        appendLiteral(", ")
        appendInterpolation(Int32(FlowService.wholeLife))
        appendLiteral(")::flow_limits")
    }
}
