/// An operator's action on an endpoint; the raw value appears in URLs, forms and message keys.
package enum EndpointAction: String, CaseIterable, Sendable {
    case test
    case replayDead = "replay_dead"
    case replaySince = "replay_since"
    case secret, disable, enable, remove
    /// Of one delivery.
    case replayOne = "replay_one"

    var hasOpposite: Bool { [.disable, .enable].contains(self) }

    var style: String { [.disable, .remove].contains(self) ? "danger" : "quiet" }

    /// The buttons of an endpoint in this state.
    static func offered(_ endpoint: Facts) -> [EndpointAction] {
        let isDisabled = endpoint.flag("disabled")
        var offered: [EndpointAction] = [.replaySince, .secret, isDisabled ? .enable : .disable, .remove]
        if endpoint.number("dead") > 0 { offered.insert(.replayDead, at: 0) }
        if !isDisabled { offered.insert(.test, at: 0) }
        return offered
    }

    /// The required messages: a new secret is shown instead of a confirmation.
    var messages: [String] {
        ["name", "before", "after"] + (self == .secret ? [] : ["done"])
    }
}
