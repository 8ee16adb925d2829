import Clients
import HTTPServer
import Hummingbird
import Pages
import SignIn
import Vocabulary

/// The reset of a lost password.
extension WebSignInDoor {
    /// `GET /forgot`: offers a code for a new password, and the other sign-in methods.
    @Sendable func forgotPage(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("forgot_page", request, context) { call in
            let fields = try query(request)
            let entry = try entry(fields, &call)
            if entry.prompt.contains(.silent) { return try await silentAnswer(entry, fields, &call) }
            if entry.client.allows(provider: PasswordSignInService.provider) {
                call.botWidget = firstBotWidget(for: entry.client)
            }
            return show(forgotPage(entry, call), call)
        }
    }

    /// `POST /forgot`: sends the code for choosing a new password.
    @Sendable func beginReset(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("reset_password", request, context) { call in
            let form = try await form(request, call)
            let entry = try entry(form, &call)
            let asked = SignInRequest(
                client: entry.client, device: device(call), handing: entry.target.handing,
                botToken: botToken(form, entry.client), caller: call.caller)
            do throws(Rejection) {
                let outcome = try await flows.begin(.forgottenPassword(name: form["username"] ?? ""), asked)
                return try await handle(outcome, entry, &call, after: form)
            } catch {
                guard let problem = PageProblem(typed: error)?.speaking(of: SignInNames(entry.client)) else {
                    throw error
                }
                record(error, call)
                call.botWidget = botWidget(after: error, form, entry.client)
                let page = forgotPage(entry, call, username: form["username"] ?? "", problem: problem)
                return show(page, call, status: WebRefusal(error).status)
            }
        }
    }

    private func forgotPage(
        _ entry: WebEntry, _ call: WebCall, username: String = "", problem: PageProblem? = nil
    ) -> ForgotPage {
        let isAllowed = entry.client.allows(provider: PasswordSignInService.provider)
        return ForgotPage(
            clientName: entry.client.name, ways: ways(entry, call),
            nameForm: isAllowed
                ? .init(
                    hidden: hidden(call, entry.hidden), names: SignInNames(entry.client),
                    username: username.isEmpty ? entry.loginHint ?? "" : username) : nil,
            loginAddress: entry.address(of: "/login"), problem: problem)
    }
}
