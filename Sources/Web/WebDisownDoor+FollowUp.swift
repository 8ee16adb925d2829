import Accounts
import Clients
import HTTPServer
import Hummingbird
import Pages
import Vocabulary

/// The page after a sign-in was disowned: what came since it, and the way to a new password.
extension WebDisownDoor {
    /// `POST /not-me/remove`: removes one of the methods that the page shows.
    @Sendable func removeMethod(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("disown_session", request, context) { call in
            let form = try await form(request, call)
            speak(form["ui_locales"], &call)
            let ticket = form["ticket"] ?? ""
            let left = try await disowning.remove(
                form["kind"] ?? "", form["method"] ?? "", followUp: ticket, caller: call.caller)
            let problem = left.isLastMethod ? PageProblem(Rejection.lastCredential.code) : nil
            return show(page([], left.kept, ticket, resets: form["resets"] == "true", problem, call), call)
        }
    }

    /// `POST /not-me/password`: begins the reset after the page.
    @Sendable func beginReset(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("disown_session", request, context) { call in
            let form = try await form(request, call)
            speak(form["ui_locales"], &call)
            let due = try await disowning.reset(followUp: form["ticket"] ?? "", caller: call.caller)
            return try await reset(due, &call)
        }
    }

    func followUp(_ report: DisownReport, _ call: WebCall) -> DisownedPage {
        page(report.removed, report.kept, report.followUp, resets: report.reset != nil, nil, call)
    }

    private func page(
        _ removed: [DisownedMethod], _ kept: [DisownedMethod], _ ticket: String, resets: Bool,
        _ problem: PageProblem?, _ call: WebCall
    ) -> DisownedPage {
        let fields = [HiddenField(name: "ticket", value: ticket), HiddenField(name: "resets", value: "\(resets)")]
        let client = defaultClient.flatMap(clients.client)
        return DisownedPage(
            clientName: client?.name ?? "", removed: removed.map(named), kept: kept.map(named), resets: resets,
            hidden: hidden(call, Self.locales(call) + fields), problem: problem)
    }

    /// An identity with its provider's name in place of the id, as in `Google · ann@example.com`.
    private func named(_ method: DisownedMethod) -> DisownedMethod {
        guard method.kind == .identity, let name = method.name else { return method }
        let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
        let words = parts.prefix(1).map(providerName) + parts.dropFirst()
        return DisownedMethod(kind: method.kind, id: method.id, name: words.joined(separator: " · "))
    }
}
