import Pages

/// `GET /admin/events/{id}/act`: describes an action on an endpoint, and asks for its reason.
struct EndpointActionPage: ConsolePage {
    static let template = "console_change"

    let frame: ConsoleFrame?
    let action: EndpointAction
    let endpoint: Facts
    /// The arguments of `console.endpoint_do.<action>.before` and `.after`.
    let arguments: [String: String]
    /// The fields of the form.
    let chosen: [HiddenField]
    /// The times to enter before the description.
    let asks: [HiddenField]
    let reason: String

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        let key = "console.endpoint_do.\(action.rawValue)"
        let name = writer.message("\(key).name")
        var values: [String: Any] = [
            "title": name, "heading": name, "endpoint": writer.endpointFace(endpoint), "face": false,
            "target": writer.exact(EndpointsPage.address(of: endpoint.id, "act")),
            "cancel": writer.link(EndpointsPage.address(of: endpoint.id)), "chosen": writer.fields(chosen),
            "reason": writer.exact(reason), "is_complete": asks.isEmpty, "method": asks.isEmpty ? "post" : "get",
            "style": action.style == "danger" ? "danger" : "main", "can_be_undone": false,
            "has_opposite": action.hasOpposite, "says_itself": !action.needsReason, "ends": false,
            "asks_reason": action.needsReason,
            "asks": asks.enumerated().map { number, field in
                [
                    "has_choices": false, "hint": false,
                    "field_name": field.name, "field_value": writer.exact(field.value), "kind": "datetime-local",
                    "is_first": number == 0, "is_optional": number > 0,
                    "field_label": writer.message("console.filter.\(field.name)"),
                ] as [String: Any]
            },
        ]
        if asks.isEmpty {
            values.set("before", ["sentence": writer.sentence("\(key).before", arguments)])
            values.set("after", ["sentence": writer.sentence("\(key).after", arguments)])
        }
        return values
    }
}

/// An endpoint's new secret, in the only answer with it.
struct EndpointSecretPage: ConsolePage {
    static let template = "console_client_secret"

    let frame: ConsoleFrame?
    let endpoint: Facts
    let secret: String

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        [
            "title": writer.message("console.client.secret"), "face": false, "secret": writer.exact(secret),
            "cancel": writer.link(EndpointsPage.address(of: endpoint.id)),
        ]
    }
}
