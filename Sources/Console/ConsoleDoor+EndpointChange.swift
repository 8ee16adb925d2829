import Clients
import Foundation
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators

/// Creation and change of endpoints: the form, the differences, and the change.
extension ConsoleDoor {
    /// `GET …/change`.
    @Sendable func editEndpoint(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeEvents, request, context) { visit in
            try await services.operators.check(.changeEvents, of: [], by: visit.actor)
            let endpoint = try await knownEndpoint(context, visit)
            return show(try await form(endpoint, EndpointFields(endpoint), visit), visit.call)
        }
    }

    /// `POST …/change`: the settings; with `confirmed` and `reason` it changes them.
    @Sendable func changeEndpoint(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeEvents, request, context, back: EndpointsPage.path, counts: false) { visit in
            let id = try Self.pathID(context)
            let endpoint = try await knownEndpoint(context, visit)
            let (before, after) = (EndpointFields(endpoint), EndpointFields(form: visit.fields.fields))
            if let asked = try await asked(endpoint, before, after, visit) { return asked }
            return try await doing(.changeEvents, visit) {
                let why = try await reason(for: .changeEvents, toChange: before.members, visit)
                _ = try await services.events.change(
                    id, after.members(unlike: before), because: why, by: visit.actor)
                return Self.toEndpoint(id.text, EndpointPage.changed, visit)
            } again: { problem in
                confirmation(endpoint, before, after, visit, problem)
            }
        }
    }

    /// `GET /admin/new-endpoint`.
    @Sendable func newEndpoint(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeEvents, request, context) { visit in
            try await services.operators.check(.changeEvents, of: [], by: visit.actor)
            return show(try await form(nil, .ofNew, visit), visit.call)
        }
    }

    /// `POST /admin/new-endpoint`: the settings; with `confirmed` and `reason` it creates the endpoint and shows the
    /// secret.
    @Sendable func createEndpoint(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeEvents, request, context, back: EndpointsPage.path, counts: false) { visit in
            let fields = EndpointFields(form: visit.fields.fields)
            if let asked = try await asked(nil, .ofNew, fields, visit) { return asked }
            return try await doing(.changeEvents, visit) {
                let made = try await services.events.create(
                    fields.members(unlike: .ofNew), once: visit.once, because: visit.reason(), by: visit.actor)
                return show(
                    EndpointSecretPage(
                        frame: frame(visit, .events), endpoint: Facts(made.endpoint), secret: made.secret), visit.call)
            } again: { problem in
                confirmation(nil, .ofNew, fields, visit, problem)
            }
        }
    }

    // MARK: Pages

    private func asked(
        _ endpoint: Facts?, _ before: EndpointFields, _ after: EndpointFields, _ visit: ConsoleVisit
    ) async throws -> Response? {
        let members = after.members(unlike: before)
        let lacksURL = endpoint == nil && after.url.isEmpty
        let wrong = lacksURL ? [ClientMistake(field: "url", reason: "required")] : self.wrong(members)
        let verdict = FormVerdict(wrong: wrong, isSame: members.members.isEmpty)
        return try await asked(.changeEvents, verdict, visit) {
            confirmation(endpoint, before, after, visit)
        } again: { problem in
            try await form(endpoint, after, visit, wrong, problem)
        }
    }

    private func form(
        _ endpoint: Facts?, _ fields: EndpointFields, _ visit: ConsoleVisit, _ wrong: [ClientMistake] = [],
        _ problem: ConsoleRefusal? = nil
    ) async throws -> EndpointFormPage {
        let clients = try await services.clients.list(by: visit.actor).map { Facts($0) }
        return EndpointFormPage(
            frame: frame(visit, .events, problem), endpoint: endpoint, fields: fields,
            types: EventType.allCases.map(\.rawValue), clients: clients.map { ($0.id, $0["name"] ?? $0.id) },
            wrong: wrong)
    }

    private func confirmation(
        _ endpoint: Facts?, _ before: EndpointFields, _ after: EndpointFields, _ visit: ConsoleVisit,
        _ problem: ConsoleRefusal? = nil
    ) -> EndpointConfirmPage {
        EndpointConfirmPage(
            frame: frame(visit, .events, problem), endpoint: endpoint, before: before, after: after,
            reason: visit.fields["reason"] ?? "", shown: Fingerprint.of(before.members))
    }

    // MARK: Parts

    func knownEndpoint(_ context: GatewayContext, _ visit: ConsoleVisit) async throws -> Facts {
        Facts(try await services.events.standing(of: Self.pathID(context), by: visit.actor))
    }

    /// Checks each member separately, so that one answer reports every mistake.
    private func wrong(_ members: JSONObject) -> [ClientMistake] {
        members.members.compactMap { member in
            do throws(AdminRefusal) {
                try services.events.check(JSONObject([member]))
                return nil
            } catch {
                guard case .invalidMember(let pointer, let reason, _) = error else {
                    return ClientMistake(field: member.name)
                }
                return ClientMistake(field: member.name, reason: reason, pointer: pointer)
            }
        }
    }
}
