import Foundation
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators
import Pages

/// Webhook endpoints and their deliveries.
extension ConsoleDoor {
    private static let deliveriesOfPage = 25

    /// `GET /admin/events`: `done`.
    @Sendable func endpoints(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showEvents, request, context) { visit in
            let endpoints = try await services.events.standings(by: visit.actor)
            return show(
                EndpointsPage(
                    frame: frame(visit, .events), endpoints: endpoints.map { Facts($0) },
                    mayChange: visit.mayDo(.changeEvents),
                    isAfterRemoval: visit.fields["done"] == EndpointAction.remove.rawValue), visit.call)
        }
    }

    /// `GET /admin/events/{id}`: `state` and `cursor` of its deliveries; `done` and `count` of the last action.
    @Sendable func endpoint(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showEvents, request, context) { visit in
            let id = try Self.pathID(context)
            let endpoint = Facts(try await services.events.standing(of: id, by: visit.actor))
            // An invalid state shows every state, and an invalid cursor shows the first page.
            let state = visit.fields["state"].flatMap { EndpointPage.states.contains($0) ? $0 : nil }
            let cursor = visit.fields["cursor"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
            let page = try await services.events.deliveries(
                EventDesk.Filter(endpoint: id, state: state), before: cursor, limit: Self.deliveriesOfPage,
                by: visit.actor)
            return show(
                EndpointPage(
                    frame: frame(visit, .events), endpoint: endpoint, deliveries: page.deliveries.map { Facts($0) },
                    state: state, next: page.next, isFirst: cursor == nil, mayChange: visit.mayDo(.changeEvents),
                    done: visit.fields["done"].map { ($0, visit.fields["count"].flatMap { Int($0) } ?? 0) }),
                visit.call)
        }
    }

    /// Redirects to the endpoint, with a message about the action.
    static func toEndpoint(_ id: String, _ done: String, count: Int? = nil, _ visit: ConsoleVisit) -> Response {
        let counted = count.map { [(name: "count", value: "\($0)")] } ?? []
        return .seeOther(
            ConsoleAddress.of(
                EndpointsPage.address(of: id),
                [(name: "done", value: done)] + counted + Site.localesParameter(visit.call.locales)))
    }
}
