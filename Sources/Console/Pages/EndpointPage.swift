import JSON

/// `GET /admin/events/{id}`: one endpoint with its deliveries.
struct EndpointPage: ConsolePage {
    static let template = "console_endpoint"
    static let states = ["waiting", "delivered", "dead"]
    static let changed = "change"

    let frame: ConsoleFrame?
    let endpoint: Facts
    let deliveries: [Facts]
    /// The filter for deliveries; nil for all.
    let state: String?
    /// The cursor of the next page.
    let next: Int?
    let isFirst: Bool
    let mayChange: Bool
    /// The completed action with its count.
    let done: (what: String, count: Int)?

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        let fields = EndpointFields(endpoint)
        var values = writer.endpointFace(endpoint)
        values["title"] = values["endpoint_name"]
        values["settings"] = EndpointFields.names.map { name in
            ["setting": writer.message("console.endpoint.\(name)"), "lines": writer.lines(of: name, fields)]
                as [String: Any]
        }
        values.set("created", writer.time(endpoint["created_at"]))
        values.set("failing", writer.time(endpoint["failing_since"]))
        values.set("former", writer.time(endpoint["former_secret_until"]))
        values.set("done", doneMessage(&writer))
        values.set("change", mayChange ? writer.link(address("change")) : nil)
        setActions(&values, &writer)
        values["tabs"] = [tab(nil, &writer)] + Self.states.map { tab($0, &writer) }
        values["has_deliveries"] = !deliveries.isEmpty
        values["deliveries"] = deliveries.map { row($0, &writer) }
        values.set(
            "next", next.map { writer.link(address(), chosen + [(name: "cursor", value: "\($0)")]) + "#deliveries" })
        values.set("first", isFirst ? nil : writer.link(address(), chosen) + "#deliveries")
        return values
    }

    private func address(_ page: String = "") -> String { EndpointsPage.address(of: endpoint.id, page) }

    private var chosen: [(name: String, value: String)] { state.map { [(name: "state", value: $0)] } ?? [] }

    private func doneMessage(_ writer: inout ConsoleWriter) -> String? {
        guard let done else { return nil }
        if done.what == Self.changed { return writer.message("console.endpoint.changed") }
        guard let action = EndpointAction(rawValue: done.what), action.messages.contains("done") else { return nil }
        return writer.message("console.endpoint_do.\(action.rawValue).done", ["count": "\(done.count)"])
    }

    private func setActions(_ values: inout [String: Any], _ writer: inout ConsoleWriter) {
        let offered = EndpointAction.offered(endpoint)
        let isTest = offered.first == .test
        let test = mayChange && isTest ? writer.exact(address("act")) : nil
        values.set("test", test)
        values.set("first_action", mayChange && !isTest ? button(offered.first, [], &writer) : nil)
        values.set("has_more", mayChange)
        values["more"] = mayChange ? offered.more.map { button($0, [], &writer) } : []
        values["danger"] = mayChange ? offered.danger.map { button($0, [], &writer) } : []
    }

    private func button(
        _ action: EndpointAction, _ parameters: [(name: String, value: String)], _ writer: inout ConsoleWriter
    ) -> [String: Any] {
        let label = writer.message("console.endpoint_do.\(action.rawValue).name")
        var values: [String: Any] = [
            "address": writer.link(address("act"), [(name: "do", value: action.rawValue)] + parameters),
            "label": label, "action": action.rawValue,
            "style": action.style,
        ]
        values.set("full_label", parameters.first.map { "\(label): \(writer.shown($0.value))" })
        return values
    }

    private func tab(_ state: String?, _ writer: inout ConsoleWriter) -> [String: Any] {
        let counted = state.flatMap { ["waiting", "dead"].contains($0) ? $0 : nil }
        var values: [String: Any] = [
            "address": writer.link(address(), state.map { [(name: "state", value: $0)] } ?? []) + "#deliveries",
            "label": writer.message("console.delivery.\(state ?? "all")"), "is_current": state == self.state,
        ]
        values.set("count", counted.map { "\(endpoint.number($0))" })
        return values
    }

    private func row(_ delivery: Facts, _ writer: inout ConsoleWriter) -> [String: Any] {
        let state = delivery["state"].flatMap { Self.states.contains($0) ? $0 : nil } ?? "waiting"
        var row: [String: Any] = [
            "delivery_id": writer.shown(delivery.id), "type": writer.shown(delivery["type"] ?? ""),
            "state_label": writer.message("console.delivery.\(state)"), "is_delivered": state == "delivered",
            "is_dead": state == "dead", "tries": "\(delivery.number("tries"))",
            "payload": writer.shownLines(delivery.part("payload").members.indented),
            "answer": writer.answer(
                Facts([
                    "status": delivery.members["last_status"] ?? .null,
                    "error": delivery.members["last_error"] ?? .null,
                ])),
        ]
        row.set("at", writer.time(delivery["occurred_at"]))
        row.set("next_try", writer.time(delivery["next_try_at"]))
        row.set("settled", writer.time(delivery["settled_at"]))
        row.set("account", delivery["account"].map { writer.person($0) })
        row.set(
            "replay",
            mayChange && state != "waiting"
                ? button(.replayOne, [(name: "delivery", value: delivery.id)], &writer) : nil)
        return row
    }
}
