/// The switch that shows operators' views.
extension AuditFilterFields {
    typealias Parameters = [(name: String, value: String)]

    static let views = "views"

    /// Whether the switch has an effect: who chooses an action or a request wants its rows, even views.
    var hasSwitch: Bool { !typed.contains { ["action", "request_id"].contains($0.name) && !$0.value.isEmpty } }

    /// The parameters of a link that keeps the filters and the switch.
    var parameters: Parameters { typed + Self.parameters(showsViews) }

    /// The parameters of a link that keeps the switch alone.
    var withoutFilters: Parameters { Self.parameters(showsViews) }

    /// The address that turns the switch; nil if that has no effect.
    func turned(_ path: String, _ writer: inout ConsoleWriter) -> String? {
        hasSwitch && wrong == nil ? writer.link(path, typed + Self.parameters(!showsViews)) : nil
    }

    private static func parameters(_ showsViews: Bool) -> Parameters {
        showsViews ? [(name: views, value: "true")] : []
    }
}
