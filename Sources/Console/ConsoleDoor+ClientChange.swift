import Clients
import Foundation
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
            let wrong = try await wrong(members, client, visit) + (lacksProof ? [Self.lackingProof] : [])
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

    private static let lackingProof = ClientMistake(field: "type", reason: "needs_a_secret")

    /// `GET /admin/new-client`.
    @Sendable func newClient(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.trustClient, request, context) { visit in
            try await services.operators.check(.trustClient, of: [], by: visit.actor)
            let methods = Self.commonMethods.filter(services.clients.signInMethods.contains)
            return show(newForm("", ClientFields.ofNew.offering(methods), visit), visit.call)
        }
    }

    /// The ticked methods in the form of a new app: they need no account at a provider.
    private static let commonMethods = ["password", "passkey"]

    /// `POST /admin/new-client`: `id`, the settings, and `reason`; it creates the client.
    ///
    /// There is nothing to compare with, so no page asks for a confirmation.
    @Sendable func createClient(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.trustClient, request, context, back: ClientsPage.newPath, counts: false) { visit in
            let form = ClientFields(form: visit.fields.fields, before: .ofNew)
            let id = Self.newID(visit.fields["id"] ?? "", form.texts["name"] ?? "")
            let fields = form.named(id)
            let members = fields.membersOfNew
            let wrong = try await wrongID(id, visit) + wrong(members, nil, visit)
            guard wrong.isEmpty else {
                return try await again("invalid_request", wrong, .trustClient, visit) {
                    newForm(id, fields, visit, wrong, $0)
                }
            }
            return try await doing(.trustClient, visit) {
                let made = try await services.clients.create(
                    id, ClientChange(members), isConfidential: fields.isConfidential, because: visit.reason(),
                    by: visit.actor)
                guard let secret = made.secret else { return Self.toQuickstart(id, visit) }
                return show(secretPage(Facts(made.client), visit, secret: secret, isNew: true), visit.call)
            } again: { problem in
                newForm(id, fields, visit, [], problem)
            }
        }
    }

    /// The typed id, or one from the name: `My Shop` becomes `my-shop`.
    static func newID(_ typed: String, _ name: String) -> String {
        let typed = typed.trimmingCharacters(in: .whitespaces)
        guard typed.isEmpty else { return typed }
        let letters = name.decomposedStringWithCanonicalMapping.lowercased().unicodeScalars
            .filter { !$0.properties.isDiacritic && $0.properties.canonicalCombiningClass == .notReordered }
        let words = letters.split { !("a"..."z").contains($0) && !("0"..."9").contains($0) }
        return String(words.map { String(String.UnicodeScalarView($0)) }.joined(separator: "-").prefix(64))
    }

    // MARK: Pages

    private func asked(
        _ client: Facts, _ before: ClientFields, _ after: ClientFields, _ wrong: [ClientMistake],
        _ action: AdminAction, _ visit: ConsoleVisit
    ) async throws -> Response? {
        let verdict = FormVerdict(wrong: wrong, isSame: after.members(unlike: before).members.isEmpty)
        return try await asked(action, verdict, visit) {
            confirmation(client, before, after, visit)
        } again: { problem in
            try await form(client, after, visit, wrong, problem)
        }
    }

    private func form(
        _ client: Facts, _ fields: ClientFields, _ visit: ConsoleVisit, _ wrong: [ClientMistake] = [],
        _ problem: ConsoleRefusal? = nil
    ) async throws -> ClientFormPage {
        ClientFormPage(
            frame: frame(visit, .clients, problem), client: client, fields: fields,
            methods: services.clients.signInMethods, linking: try await linking(client.id, visit), wrong: wrong)
    }

    private func newForm(
        _ id: String, _ fields: ClientFields, _ visit: ConsoleVisit, _ wrong: [ClientMistake] = [],
        _ problem: ConsoleRefusal? = nil
    ) -> ClientFormPage {
        ClientFormPage(
            frame: frame(visit, .clients, problem), client: nil, id: id, fields: fields,
            methods: services.clients.signInMethods, linking: [], wrong: wrong,
            reason: visit.fields["reason"] ?? "")
    }

    private func confirmation(
        _ client: Facts, _ before: ClientFields, _ after: ClientFields, _ visit: ConsoleVisit,
        _ problem: ConsoleRefusal? = nil
    ) -> ClientConfirmPage {
        ClientConfirmPage(
            frame: frame(visit, .clients, problem), client: client, before: before, after: after,
            reason: visit.fields["reason"] ?? "", shown: Fingerprint.of(before.members))
    }

    private static func toQuickstart(_ id: String, _ visit: ConsoleVisit) -> Response {
        .seeOther(
            ConsoleAddress.of(
                QuickstartPage.address(of: id),
                [(name: "done", value: "made")] + Site.localesParameter(visit.call.locales)))
    }

    private static func toClient(_ id: String, _ done: String, _ visit: ConsoleVisit) -> Response {
        .seeOther(
            ConsoleAddress.of(
                ClientsPage.address(of: id),
                [(name: "done", value: done)] + Site.localesParameter(visit.call.locales)))
    }
}
