import Clients
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators
import Pages

/// Creation and change of clients: the form, the differences, and the change.
extension ConsoleDoor {
    /// `GET …/change`.
    @Sendable func editClient(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeClient, request, context) { visit in
            let client = try await changeable(context, visit)
            return show(try await form(client, ClientFields(client), visit), visit.call)
        }
    }

    /// `POST …/change`: the settings; with `confirmed` and `reason` it changes them.
    @Sendable func changeClient(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeClient, request, context, back: ClientsPage.path, counts: false) { visit in
            let client = try await known(context, visit)
            let before = ClientFields(client)
            let after = ClientFields(form: visit.fields.fields, before: before)
            let members = after.members(unlike: before)
            let action = ClientChange.action(for: members, held: client.members)
            let lacksProof = ClientChange.lacksProof(members, held: client.members)
            let wrong = try await wrong(members, client, visit) + (lacksProof ? [ClientMistake(field: "type")] : [])
            if let asked = try await asked(client, before, after, wrong, action, visit) { return asked }
            return try await doing(action, visit) {
                let why = try await reason(for: action, toChange: before.members, visit)
                _ = try await services.clients.change(
                    client.id, ClientChange(members), because: why, by: visit.actor)
                return Self.toClient(client.id, "changed", visit)
            } again: { problem in
                confirmation(client, before, after, visit, problem)
            }
        }
    }

    /// `GET /admin/new-client`.
    @Sendable func newClient(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.trustClient, request, context) { visit in
            try await services.operators.check(.trustClient, of: [], by: visit.actor)
            return show(try await form(nil, .ofNew, visit), visit.call)
        }
    }

    /// `POST /admin/new-client`: `id`, `confidential` and the settings; with `confirmed` and `reason` it creates the
    /// client.
    @Sendable func createClient(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.trustClient, request, context, back: ClientsPage.path, counts: false) { visit in
            let id = visit.fields["id"] ?? ""
            let fields = ClientFields(form: visit.fields.fields, before: .ofNew).named(id)
                .confidential(visit.fields["confidential"] != nil)
            let members = fields.membersOfNew
            let wrong = try await wrongID(id, visit) + wrong(members, nil, visit)
            if let asked = try await asked(nil, .ofNew, fields, wrong, .trustClient, visit) { return asked }
            return try await doing(.trustClient, visit) {
                let made = try await services.clients.create(
                    id, ClientChange(members), isConfidential: visit.fields["confidential"] != nil,
                    because: visit.reason(), by: visit.actor)
                guard let secret = made.secret else { return Self.toClient(id, "made", visit) }
                return show(secretPage(Facts(made.client), visit, secret: secret), visit.call)
            } again: { problem in
                confirmation(nil, .ofNew, fields, visit, problem)
            }
        }
    }

    // MARK: Pages

    private func asked(
        _ client: Facts?, _ before: ClientFields, _ after: ClientFields, _ wrong: [ClientMistake],
        _ action: AdminAction, _ visit: ConsoleVisit
    ) async throws -> Response? {
        let verdict = FormVerdict(isWrong: !wrong.isEmpty, isSame: after.members(unlike: before).members.isEmpty)
        return try await asked(action, verdict, visit) {
            confirmation(client, before, after, visit)
        } again: { problem in
            try await form(client, after, visit, wrong, problem)
        }
    }

    private func form(
        _ client: Facts?, _ fields: ClientFields, _ visit: ConsoleVisit, _ wrong: [ClientMistake] = [],
        _ problem: ConsoleRefusal? = nil
    ) async throws -> ClientFormPage {
        var counts: [LinkingCount] = []
        if let client { counts = try await linking(client.id, visit) }
        return ClientFormPage(
            frame: frame(visit, .clients, problem), client: client, id: visit.fields["id"] ?? "",
            isConfidential: visit.fields["confidential"] != nil, fields: fields,
            methods: services.clients.signInMethods, linking: counts, wrong: wrong)
    }

    private func confirmation(
        _ client: Facts?, _ before: ClientFields, _ after: ClientFields, _ visit: ConsoleVisit,
        _ problem: ConsoleRefusal? = nil
    ) -> ClientConfirmPage {
        ClientConfirmPage(
            frame: frame(visit, .clients, problem), client: client, id: visit.fields["id"] ?? "",
            isConfidential: visit.fields["confidential"] != nil, before: before, after: after,
            reason: visit.fields["reason"] ?? "", shown: Fingerprint.of(before.members))
    }

    private static func toClient(_ id: String, _ done: String, _ visit: ConsoleVisit) -> Response {
        .seeOther(
            ConsoleAddress.of(
                ClientsPage.address(of: id),
                [(name: "done", value: done)] + Site.localesParameter(visit.call.locales)))
    }
}
