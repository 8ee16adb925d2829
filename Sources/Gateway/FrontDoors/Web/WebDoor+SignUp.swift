import Hummingbird
import Sessions

extension WebDoor {
    /// `GET /sign-up`.
    @Sendable func signUpPage(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("sign_up_page", request, context) { call in
            let entry = try entry(try query(request), &call)
            guard entry.client.allows(provider: PasswordSignInService.provider) else {
                throw Rejection.providerNotAllowed
            }
            return show(signUpPage(entry, call), call)
        }
    }

    /// `POST /sign-up`: sends the code.
    @Sendable func beginSignUp(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("sign_up", request, context) { call in
            let form = try await form(request, call)
            let entry = try entry(form, &call)
            let typed = SignUpForm(
                username: form["email"] ?? "", password: form["password"], displayName: form["display_name"])
            do throws(Rejection) {
                guard typed.password?.isEmpty == false else {
                    throw .invalidMember(pointer: "/password", reason: "required")
                }
                let asked = SignInRequest(
                    client: entry.client, device: DeviceHint(), handing: entry.target.handing, caller: call.caller)
                return try await went(try await signUp.begin(typed, request: asked), entry, &call)
            } catch {
                guard let problem = PageProblem(typed: error) else { throw error }
                record("sign_up", WebRefusal(error), call)
                return show(signUpPage(entry, call, typed, problem), call, status: WebRefusal(error).status)
            }
        }
    }

    /// `POST /sign-up/confirm`: the code, typed.
    @Sendable func confirmSignUp(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("confirm_sign_up", request, context) { call in
            let form = try await form(request, call)
            let entry = try entry(form, &call)
            do throws(Rejection) {
                let outcome = try await signUp.confirm(
                    flow: form["flow"] ?? "", code: (form["code"] ?? "").filter { !$0.isWhitespace },
                    of: entry.client, device: device(call), handing: entry.target.handing, caller: call.caller)
                return try await went(outcome, entry, &call)
            } catch {
                return try confirmAgain(form, entry, error, "confirm_sign_up", call)
            }
        }
    }

    /// `POST /sign-up/resend`: another code.
    @Sendable func resendSignUp(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("resend_sign_up", request, context) { call in
            let form = try await form(request, call)
            let entry = try entry(form, &call)
            do throws(Rejection) {
                _ = try await signUp.resend(flow: form["flow"] ?? "", caller: call.caller)
                return show(confirmPage(form, entry, call, wasResent: true), call)
            } catch {
                return try confirmAgain(form, entry, error, "resend_sign_up", call)
            }
        }
    }

    private func confirmAgain(
        _ form: FormBody, _ entry: WebEntry, _ rejection: Rejection, _ action: String, _ call: WebCall
    ) throws(Rejection) -> Response {
        guard let problem = PageProblem(typed: rejection) else { throw rejection }
        record(action, WebRefusal(rejection), call)
        return show(confirmPage(form, entry, call, problem: problem), call, status: WebRefusal(rejection).status)
    }

    /// What the page says of the mail comes back with its form; it is shown to whoever sent it, and decides nothing.
    private func confirmPage(
        _ form: FormBody, _ entry: WebEntry, _ call: WebCall, wasResent: Bool = false, problem: PageProblem? = nil
    ) -> ConfirmPage {
        let masked = String((form["masked_email"] ?? "").prefix(254))
        let length = form["code_length"].flatMap { Int($0) }.map { min(max($0, 4), 12) } ?? 6
        return ConfirmPage(
            clientName: entry.client.name, hidden: confirmFields(form["flow"] ?? "", masked, length, entry, call),
            maskedEmail: masked, codeLength: length, wasResent: wasResent, problem: problem)
    }

    func confirmFields(
        _ flow: String, _ masked: String, _ length: Int, _ entry: WebEntry, _ call: WebCall
    ) -> [HiddenField] {
        hidden(
            call,
            entry.hidden + [
                HiddenField(name: "flow", value: flow), HiddenField(name: "masked_email", value: masked),
                HiddenField(name: "code_length", value: "\(length)"),
            ])
    }

    private func signUpPage(
        _ entry: WebEntry, _ call: WebCall, _ typed: SignUpForm? = nil, _ problem: PageProblem? = nil
    ) -> SignUpPage {
        SignUpPage(
            clientName: entry.client.name, hidden: hidden(call, entry.hidden), email: typed?.username ?? "",
            displayName: typed?.displayName ?? "", minimumLength: minimumPasswordLength,
            loginAddress: entry.address(of: "/login"), problem: problem)
    }
}
