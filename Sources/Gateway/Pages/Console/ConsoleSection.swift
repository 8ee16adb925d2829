/// An entry of the console's navigation: one line adds one, with the label `console.nav.<it>`.
enum ConsoleSection: String, CaseIterable, Sendable {
    case search, clients, providers, overview, audit, events, operators

    var path: String {
        switch self {
        case .search: "/admin"
        case .clients: "/admin/clients"
        case .providers: "/admin/providers"
        case .overview: "/admin/overview"
        case .audit: "/admin/audit"
        case .events: "/admin/events"
        case .operators: "/admin/operators"
        }
    }
}
