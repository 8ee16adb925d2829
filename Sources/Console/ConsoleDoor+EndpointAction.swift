import Foundation
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators
import Pages
import Telemetry

/// Actions on an endpoint or a delivery: the page describes the effect, and asks for a reason unless it is a test.
extension ConsoleDoor {
    /// `GET …/act`: `do`, and its parameters `delivery`, `from`, `to`.
    @Sendable func confirmAct(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeEvents, request, context) { visit in
            let action = try Self.endpointAction(visit)
            try await services.operators.check(.changeEvents, of: [], by: visit.actor)
            return show(try await actionPage(action, Self.pathID(context), visit), visit.call)
        }
    }

    /// `POST …/act`: the same with `reason`.
    @Sendable func act(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeEvents, request, context, back: EndpointsPage.path, counts: false) { visit in
            let action = try Self.endpointAction(visit)
            let id = try Self.pathID(context)
            return try await doing(.changeEvents, visit) {
                try await act(action, id, visit)
            } again: { problem in
                try await actionPage(action, id, visit, problem)
            }
        }
    }

    private func act(_ action: EndpointAction, _ id: UUID, _ visit: ConsoleVisit) async throws -> Response {
        let (events, actor) = (services.events, visit.actor)
        var count: Int?
        switch action {
        case .disable, .enable:
            _ = try await events.change(
                id, ["disabled": .bool(action == .disable)], because: visit.reason(), by: actor)
        case .test: _ = try await events.test(id, because: nil, by: actor)
        case .replayDead:
            count = try await events.replay(endpoint: id, from: nil, to: nil, because: visit.reason(), by: actor)
        case .replaySince:
            let reason = try visit.reason()
            let span = try Self.span(visit)
            count = try await events.replay(endpoint: id, from: span.from, to: span.to, because: reason, by: actor)
        case .replayOne:
            let reason = try visit.reason()
            let delivery = try await knownDelivery(of: id, visit)
            try await events.replay(delivery: delivery.id, because: reason, by: actor)
        case .secret:
            let made = try await events.replaceSecret(
                id, formerUntil: visit.fields["former_until"] ?? "", because: visit.reason(), by: actor)
            return show(
                EndpointSecretPage(
                    frame: frame(visit, .events), endpoint: Facts(made.endpoint), secret: made.secret), visit.call)
        case .remove:
            try await events.remove(id, because: visit.reason(), by: actor)
            return .seeOther(
                ConsoleAddress.of(
                    EndpointsPage.path,
                    [(name: "done", value: action.rawValue)] + Site.localesParameter(visit.call.locales)))
        }
        return Self.toEndpoint(id.text, action.rawValue, count: count, visit)
    }

    private func actionPage(
        _ action: EndpointAction, _ id: UUID, _ visit: ConsoleVisit, _ problem: ConsoleRefusal? = nil
    ) async throws -> EndpointActionPage {
        let endpoint = Facts(try await services.events.standing(of: id, by: visit.actor))
        var problem = problem
        var chosen = [HiddenField(name: "do", value: action.rawValue)]
        var asks: [HiddenField] = []
        var arguments = ["count": "\(endpoint.number(action == .remove ? "waiting" : "dead"))"]
        switch action {
        case .secret: chosen.append(HiddenField(name: "former_until", value: endpoint["former_secret_until"] ?? ""))
        case .replayOne:
            let delivery = try await knownDelivery(of: id, visit)
            chosen.append(HiddenField(name: "delivery", value: delivery.id))
            arguments["what"] = "\(delivery["type"] ?? "") \(delivery.id)"
        case .replaySince:
            let words = try web.renderer.messages.console(visit.call.language)
            let times = ["from", "to"].map { HiddenField(name: $0, value: visit.fields[$0] ?? "") }
            do throws(AdminRefusal) {
                arguments["what"] = Self.told(try Self.span(visit), words)
                chosen += times.filter { !$0.value.isEmpty }
            } catch {
                // An empty form is not a mistake.
                if !times.allSatisfy(\.value.isEmpty) { problem = problem ?? Self.refusal(error) }
                asks = times
            }
        default: break
        }
        return EndpointActionPage(
            frame: frame(visit, .events, problem), action: action, endpoint: endpoint, arguments: arguments,
            chosen: chosen, asks: asks, reason: visit.fields["reason"] ?? "")
    }

    // MARK: Parts

    private static func endpointAction(_ visit: ConsoleVisit) throws(AdminRefusal) -> EndpointAction {
        guard let action = visit.fields["do"].flatMap(EndpointAction.init(rawValue:)) else { throw .notFound }
        return action
    }

    /// Finds a delivery of this endpoint; other endpoints' deliveries are invalid.
    private func knownDelivery(of endpoint: UUID, _ visit: ConsoleVisit) async throws -> Facts {
        let delivery = Facts(
            try await services.events.delivery(visit.fields["delivery"] ?? "", by: visit.actor))
        guard delivery["endpoint"] == endpoint.text else { throw AdminRefusal.notFound }
        return delivery
    }

    private static func span(_ visit: ConsoleVisit) throws(AdminRefusal) -> (from: Date, to: Date?) {
        guard let from = try time("from", visit) else { throw .invalidMember(pointer: "/from", reason: "required") }
        return (from, try time("to", visit))
    }

    private static func time(_ name: String, _ visit: ConsoleVisit) throws(AdminRefusal) -> Date? {
        guard let typed = visit.fields[name], !typed.isEmpty else { return nil }
        guard let time = try? Date(AuditFilterFields.inUTC(typed), strategy: .iso8601) else {
            throw .invalidMember(pointer: "/\(name)", reason: "must_be_time")
        }
        return time
    }

    private static func told(_ span: (from: Date, to: Date?), _ words: Words) -> String {
        let (from, to) = (words.moment(RFC3339.text(span.from)), span.to.map { words.moment(RFC3339.text($0)) })
        return "\(from) – \(to ?? "…")"
    }
}
