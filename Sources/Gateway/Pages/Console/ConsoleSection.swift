/// An entry of the console's navigation: one line adds one, with the words `console.nav.<it>`.
enum ConsoleSection: String, CaseIterable, Sendable {
    case search, providers, audit, operators

    var path: String {
        switch self {
        case .search: "/admin"
        case .providers: "/admin/providers"
        case .audit: "/admin/audit"
        case .operators: "/admin/operators"
        }
    }
}
