/// An entry of the console's navigation: one line adds one, with the label `console.nav.<it>`.
enum ConsoleSection: String, CaseIterable, Sendable {
    case overview, search, clients, messages, providers, audit, events, operators

    var path: String {
        switch self {
        case .overview: "/admin"
        case .search: SearchPage.path
        case .clients: "/admin/clients"
        case .messages: MessagesPage.path
        case .providers: "/admin/providers"
        case .audit: "/admin/audit"
        case .events: "/admin/events"
        case .operators: "/admin/operators"
        }
    }
}
