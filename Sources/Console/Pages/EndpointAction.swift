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

    var needsReason: Bool { self != .test }

    /// The possible actions: the visible one, those of the menu, and those of the danger zone.
    static func offered(_ endpoint: Facts) -> (first: EndpointAction, more: [EndpointAction], danger: [EndpointAction])
    {
        let isDisabled = endpoint.flag("disabled")
        let replays: [EndpointAction] = (endpoint.number("dead") > 0 ? [.replayDead] : []) + [.replaySince]
        return (isDisabled ? .enable : .test, replays + [.secret], (isDisabled ? [] : [.disable]) + [.remove])
    }

    /// The required messages: a new secret is shown instead of a confirmation.
    var messages: [String] {
        ["name", "before", "after"] + (self == .secret ? [] : ["done"])
    }
}
