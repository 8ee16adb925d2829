import Admin
import Hummingbird
import JSON
import Sessions

/// The apps that may call the gateway.
extension ConsoleDoor {
    /// How far back the linking policies are tried.
    private static let linkingDays = 30

    /// `GET /admin/clients`.
    @Sendable func clients(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showClients, request, context) { visit in
            let clients = try await services.clients.list(by: visit.actor)
            return show(
                ClientsPage(
                    frame: frame(visit, .clients), clients: clients.map { Facts($0) },
                    mayChange: visit.mayDo(.changeClient)), visit.call)
        }
    }

    /// `GET /admin/clients/{id}`: `done`.
    @Sendable func client(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showClients, request, context) { visit in
            let client = try await known(context, visit)
            return show(
                ClientPage(
                    frame: frame(visit, .clients), client: client, linking: try await linking(client.id, visit),
                    mayChange: visit.mayDo(.changeClient), done: visit.fields["done"]), visit.call)
        }
    }

    /// `GET …/change`.
    @Sendable func editClient(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeClient, request, context) { visit in
            try await services.operators.check(.changeClient, of: [], by: visit.actor)
            let client = try await known(context, visit)
            return show(try await form(client, ClientFields(client), visit), visit.call)
        }
    }

    /// `POST …/change`: the settings; with `confirmed` and `reason` they are changed.
    @Sendable func changeClient(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeClient, request, context, back: ClientsPage.path, counts: false) { visit in
            let client = try await known(context, visit)
            let (before, after) = (ClientFields(client), ClientFields(form: visit.fields.fields))
            let members = after.members(unlike: before)
            if let asked = try await asked(client, before, after, Self.wrong(members), visit) { return asked }
            return try await doing(.changeClient, visit) {
                _ = try await services.clients.change(
                    client.id, ClientChange(members), because: visit.reason(), by: visit.actor)
                return Self.toClient(client.id, "changed", visit)
            } again: { problem in
                confirmation(client, before, after, visit, problem)
            }
        }
    }

    /// `GET /admin/new-client`.
    @Sendable func newClient(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeClient, request, context) { visit in
            try await services.operators.check(.changeClient, of: [], by: visit.actor)
            return show(try await form(nil, .ofNew, visit), visit.call)
        }
    }

    /// `POST /admin/new-client`: `id`, `confidential` and the settings; with `confirmed` and `reason` it is made.
    @Sendable func createClient(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeClient, request, context, back: ClientsPage.path, counts: false) { visit in
            let id = visit.fields["id"] ?? ""
            let fields = ClientFields(form: visit.fields.fields).named(id)
            let members = fields.members(unlike: .ofNew)
            let wrong = try await wrongID(id, visit) + Self.wrong(members)
            if let asked = try await asked(nil, .ofNew, fields, wrong, visit) { return asked }
            return try await doing(.changeClient, visit) {
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

    /// `GET …/secret`.
    @Sendable func confirmSecret(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeClient, request, context) { visit in
            try await services.operators.check(.changeClient, of: [], by: visit.actor)
            return show(secretPage(try await known(context, visit), visit), visit.call)
        }
    }

    /// `POST …/secret`: `reason`; the secret is in this answer alone.
    @Sendable func replaceSecret(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeClient, request, context, back: ClientsPage.path, counts: false) { visit in
            let client = try await known(context, visit)
            return try await doing(.changeClient, visit) {
                let made = try await services.clients.replaceSecret(
                    client.id, because: visit.reason(), by: visit.actor)
                return show(secretPage(Facts(made.client), visit, secret: made.secret), visit.call)
            } again: { problem in
                secretPage(client, visit, problem)
            }
        }
    }

    // MARK: Pages

    /// The form again where something is wrong, or what would be different; nil where all that was confirmed.
    private func asked(
        _ client: Facts?, _ before: ClientFields, _ after: ClientFields, _ wrong: [ClientMistake],
        _ visit: ConsoleVisit
    ) async throws -> Response? {
        let isSame = after.members(unlike: before).members.isEmpty
        guard !wrong.isEmpty || visit.fields["confirmed"] == nil || isSame else { return nil }
        try await services.operators.check(.changeClient, of: [], by: visit.actor)
        if wrong.isEmpty, !isSame { return show(confirmation(client, before, after, visit), visit.call) }
        let refusal = ConsoleRefusal(code: wrong.isEmpty ? "nothing_to_change" : "invalid_request")
        web.record(AdminDeed.changeClient.rawValue, WebRefusal(code: refusal.code), visit.call)
        let status = ErrorCatalogue[refusal.code]?.status ?? .badRequest
        return show(try await form(client, after, visit, wrong, refusal), visit.call, status: status)
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
            providers: services.providers.names, linking: counts, wrong: wrong)
    }

    private func confirmation(
        _ client: Facts?, _ before: ClientFields, _ after: ClientFields, _ visit: ConsoleVisit,
        _ problem: ConsoleRefusal? = nil
    ) -> ClientConfirmPage {
        ClientConfirmPage(
            frame: frame(visit, .clients, problem), client: client, id: visit.fields["id"] ?? "",
            isConfidential: visit.fields["confidential"] != nil, before: before, after: after,
            reason: visit.fields["reason"] ?? "")
    }

    private func secretPage(
        _ client: Facts, _ visit: ConsoleVisit, _ problem: ConsoleRefusal? = nil, secret: String? = nil
    ) -> ClientSecretPage {
        ClientSecretPage(
            frame: frame(visit, .clients, problem), client: client, secret: secret,
            reason: visit.fields["reason"] ?? "")
    }

    // MARK: Parts

    private func known(_ context: GatewayContext, _ visit: ConsoleVisit) async throws -> Facts {
        guard let id = context.parameters.get("id"), ClientID.isValid(id) else { throw AdminRefusal.notFound }
        return Facts(try await services.clients.client(id, by: visit.actor))
    }

    private func linking(_ id: String, _ visit: ConsoleVisit) async throws -> [LinkingCount] {
        try await services.linking.outcomes(client: id, days: Self.linkingDays, by: visit.actor).map {
            LinkingCount(policy: $0.policy, links: $0.links, asks: $0.asks, newAccounts: $0.newAccounts)
        }
    }

    /// Each member is judged alone, so that all that is wrong is said at once.
    private static func wrong(_ members: JSONObject) -> [ClientMistake] {
        members.members.compactMap { member in
            do throws(AdminRefusal) {
                _ = try ClientChange(JSONObject([member]))
                return nil
            } catch {
                guard case .invalidMember(let pointer, _) = error else { return nil }
                let parts = pointer.split(separator: "/")
                return ClientMistake(field: member.name, line: parts.count > 1 ? Int(parts[1]).map { $0 + 1 } : nil)
            }
        }
    }

    private func wrongID(_ id: String, _ visit: ConsoleVisit) async throws -> [ClientMistake] {
        guard ClientID.isValid(id) else { return [ClientMistake(field: "id", line: nil)] }
        do {
            _ = try await services.clients.client(id, by: visit.actor)
            return [ClientMistake(field: "id", line: nil, isTaken: true)]
        } catch AdminRefusal.notFound {
            return []
        }
    }

    private static func toClient(_ id: String, _ done: String, _ visit: ConsoleVisit) -> Response {
        .seeOther(
            ConsoleAddress.of(
                ClientsPage.address(of: id),
                [(name: "done", value: done)] + WebDoor.localesParameter(visit.call.locales)))
    }
}
