import Foundation

/// `GET /admin/events`: the webhook endpoints.
struct EndpointsPage: ConsolePage {
    static let template = "console_endpoints"
    static let path = "/admin/events"
    static let newPath = "/admin/new-endpoint"
    static let states = ["working", "failing", "disabled"]

    let frame: ConsoleFrame?
    let endpoints: [Facts]
    let mayChange: Bool
    /// Whether one was just removed.
    let isAfterRemoval: Bool

    static func address(of id: String, _ page: String = "") -> String {
        "\(path)/\(id)" + (page.isEmpty ? "" : "/\(page)")
    }

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        var values: [String: Any] = [
            "title": writer.message("console.nav.events"), "has_endpoints": !endpoints.isEmpty,
            "endpoints": endpoints.map { row($0, &writer) },
        ]
        values.set("new", mayChange ? writer.link(Self.newPath) : nil)
        values.set("done", isAfterRemoval ? writer.message("console.endpoint_do.remove.done") : nil)
        return values
    }

    private func row(_ endpoint: Facts, _ writer: inout ConsoleWriter) -> [String: Any] {
        var row = writer.endpointFace(endpoint)
        row["types"] = writer.lines(of: "types", EndpointFields(endpoint))
        row["answer"] = writer.answer(endpoint.part("last"))
        for state in ["waiting", "dead"] {
            row[state] = [
                "count": "\(endpoint.number(state))", "is_some": endpoint.number(state) > 0,
                "address": writer.link(Self.address(of: endpoint.id), [(name: "state", value: state)]),
            ]
        }
        return row
    }
}

extension ConsoleWriter {
    /// An endpoint: its host as a link, its whole URL and its state.
    mutating func endpointFace(_ endpoint: Facts) -> [String: Any] {
        let url = endpoint["url"] ?? ""
        let isFailing = endpoint["failing_since"] != nil
        let state = endpoint.flag("disabled") ? "disabled" : isFailing ? "failing" : "working"
        return [
            "endpoint_name": shown(URLComponents(string: url)?.host ?? url), "endpoint_url": shown(url),
            "address": link(EndpointsPage.address(of: endpoint.id)), "is_working": state == "working",
            "state_label": message("console.endpoint_state.\(state)"),
        ]
    }

    /// The result of an attempt: a status, or the reason of its absence.
    mutating func answer(_ last: Facts) -> [String: Any] {
        let status = last.number("status")
        let failure = last["error"].map { CallFailure($0).text(words) }
        var values: [String: Any] = ["is_good": (200..<300).contains(status)]
        values.set("answer_code", status == 0 ? shown(ifAny: failure) : "\(status)")
        return values
    }
}
