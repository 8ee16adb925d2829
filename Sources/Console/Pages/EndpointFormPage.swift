/// `GET /admin/events/{id}/change` and `GET /admin/new-endpoint`: the settings form.
struct EndpointFormPage: ConsolePage {
    static let template = "console_endpoint_form"

    let frame: ConsoleFrame?
    /// Nil for a new one.
    let endpoint: Facts?
    let fields: EndpointFields
    /// All there are.
    let types: [String]
    let clients: [(id: String, name: String)]
    let wrong: [ClientMistake]

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        let name = endpoint == nil ? "console.endpoint.new" : "console.endpoint.change"
        var values: [String: Any] = [
            "title": writer.message(name), "url": writer.exact(fields.url), "boxes": boxes(&writer),
            "target": writer.exact(
                endpoint.map { EndpointsPage.address(of: $0.id, "change") } ?? EndpointsPage.newPath),
            "cancel": writer.link(endpoint.map { EndpointsPage.address(of: $0.id) } ?? EndpointsPage.path),
            "clients": choices(&writer),
        ]
        values.set("endpoint", endpoint.map { writer.endpointFace($0) })
        values.set("wrong_url", complaint("url", &writer))
        values.set("wrong_types", complaint("types", &writer))
        values.set("wrong_client", complaint("client_id", &writer))
        return values
    }

    private func complaint(_ name: String, _ writer: inout ConsoleWriter) -> String? {
        wrong.first { $0.field == name }.map { writer.message("console.wrong.\($0.word)") }
    }

    private func boxes(_ writer: inout ConsoleWriter) -> [[String: Any]] {
        // A selected client that no longer exists would be lost otherwise.
        let all = types + fields.types.filter { !types.contains($0) }
        return all.map { type in
            [
                "field_name": writer.exact(EndpointFields.fieldName(ofType: type)), "field_label": writer.shown(type),
                "box_id": writer.exact("type-\(type)"), "is_chosen": fields.types.contains(type),
            ]
        }
    }

    private func choices(_ writer: inout ConsoleWriter) -> [[String: Any]] {
        clients.map { client in
            [
                "choice": writer.exact(client.id), "choice_label": writer.shown(client.name),
                "is_chosen": client.id == fields.client,
            ]
        }
    }
}

/// `POST` of the form: shows the changes, before a reason is given.
struct EndpointConfirmPage: ConsolePage {
    static let template = "console_endpoint_confirm"

    let frame: ConsoleFrame?
    let endpoint: Facts?
    let before: EndpointFields
    let after: EndpointFields
    let reason: String
    /// A digest of ``before``, which the confirmation form carries.
    let shown: String

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        let isNew = endpoint == nil
        let names = EndpointFields.names.filter { isNew || before.value($0) != after.value($0) }
        var values: [String: Any] = [
            "title": writer.message(isNew ? "console.endpoint.new" : "console.endpoint.change"), "is_new": isNew,
            "reason": writer.exact(reason),
            "target": writer.exact(
                endpoint.map { EndpointsPage.address(of: $0.id, "change") } ?? EndpointsPage.newPath),
            "cancel": writer.link(endpoint.map { EndpointsPage.address(of: $0.id) } ?? EndpointsPage.path),
            "chosen": writer.fields(after.hidden + FormVerdict.confirming(shown) + (isNew ? [FormVerdict.once()] : [])),
            "differences": names.map { name in
                [
                    "setting": writer.message("console.endpoint.\(name)"), "before": writer.lines(of: name, before),
                    "after": writer.lines(of: name, after),
                ] as [String: Any]
            },
        ]
        values.set("endpoint", endpoint.map { writer.endpointFace($0) })
        return values
    }
}
