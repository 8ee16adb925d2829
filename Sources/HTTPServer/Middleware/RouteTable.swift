import HTTPTypes
import Hummingbird

/// Every path with its methods, to distinguish 404 from 405.
struct RouteTable: Sendable {
    private struct Route: Sendable {
        /// `nil` stands for a captured component.
        let components: [String?]
        var methods: [HTTPRequest.Method]
    }

    private var routes: [Route] = []

    /// - Parameter entries: templates such as `/v1/account/sessions/{id}` with their methods.
    init(_ entries: [(template: String, method: HTTPRequest.Method)]) {
        for entry in entries {
            let components = entry.template.split(separator: "/").map { part in
                part.hasPrefix("{") || part == "*" ? nil : String(part)
            }
            if let index = routes.firstIndex(where: { $0.components == components }) {
                routes[index].methods.append(entry.method)
            } else {
                routes.append(Route(components: components, methods: [entry.method]))
            }
        }
    }

    /// Reads a router after all doors are mounted.
    init(_ router: Router<GatewayContext>) {
        self.init(Self.entries(of: router))
    }

    /// Every route of a router; a GET route also answers HEAD.
    static func entries(of router: Router<GatewayContext>) -> [(template: String, method: HTTPRequest.Method)] {
        let entries = router.routes.map { (template: $0.path.description, method: $0.method) }
        return entries + entries.filter { $0.method == .get }.map { (template: $0.template, method: .head) }
    }

    /// The methods of a path, sorted by name; empty for an unknown path.
    ///
    /// Of several matching routes, the one with the earliest literal component counts, as in the router.
    func methods(at path: String) -> [HTTPRequest.Method] {
        let parts = path.split(separator: "/")
        let found = routes.filter { route in
            route.components.count == parts.count
                && zip(route.components, parts).allSatisfy { component, part in
                    component.map { $0.utf8.elementsEqual(part.utf8) } ?? true
                }
        }
        let nearest = found.min { one, other in
            one.components.lexicographicallyPrecedes(other.components) { $0 != nil && $1 == nil }
        }
        return Set(nearest?.methods ?? []).sorted { $0.rawValue < $1.rawValue }
    }
}
