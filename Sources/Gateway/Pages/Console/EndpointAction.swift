/// What an operator may do with an endpoint; the raw value stands in addresses, forms and the keys of messages.
enum EndpointAction: String, CaseIterable, Sendable {
    case test
    case replayDead = "replay_dead"
    case replaySince = "replay_since"
    case secret, disable, enable, remove
    /// Of one delivery.
    case replayOne = "replay_one"

    var hasOpposite: Bool { [.disable, .enable].contains(self) }

    var style: String { [.disable, .remove].contains(self) ? "danger" : "quiet" }

    /// What has a button on the page of an endpoint that is so.
    static func offered(_ endpoint: Facts) -> [EndpointAction] {
        let isDisabled = endpoint.flag("disabled")
        var offered: [EndpointAction] = [.replaySince, .secret, isDisabled ? .enable : .disable, .remove]
        if endpoint.number("dead") > 0 { offered.insert(.replayDead, at: 0) }
        if !isDisabled { offered.insert(.test, at: 0) }
        return offered
    }

    /// The messages that there must be: a secret is shown in place of saying that it was made.
    var messages: [String] {
        ["name", "before", "after"] + (self == .secret ? [] : ["done"])
    }
}
