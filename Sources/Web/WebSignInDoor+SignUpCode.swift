import HTTPServer
import Hummingbird
import Pages
import SignIn
import Vocabulary

/// The code of a sign-up.
extension WebSignInDoor {
    /// `POST /sign-up/confirm`: checks the typed code.
    @Sendable func confirmSignUp(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("confirm_sign_up", request, context) { call in
            let form = try await form(request, call)
            let entry = try entry(form, &call)
            do throws(Rejection) {
                let answer = StepResponse(.code(form["code"] ?? ""))
                let outcome = try await flows.answer(answer, flowCall(form, entry, call), for: .signUp)
                return try await handle(outcome, entry, &call)
            } catch {
                return try confirmAgain(form, entry, error, call)
            }
        }
    }

    /// `POST /sign-up/resend`: sends another code.
    @Sendable func resendSignUp(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("resend_sign_up", request, context) { call in
            let form = try await form(request, call)
            let entry = try entry(form, &call)
            do throws(Rejection) {
                let pending = try await flows.resend(flowCall(form, entry, call), for: .signUp)
                return show(confirmPage(pending, form, entry, call, wasResent: true), call)
            } catch {
                if let check = botCheckPage(at: "/sign-up/resend", form, entry, error, call) { return check }
                return try confirmAgain(form, entry, error, call)
            }
        }
    }

    private func confirmAgain(
        _ form: FormBody, _ entry: WebEntry, _ rejection: Rejection, _ call: WebCall
    ) throws(Rejection) -> Response {
        guard let problem = PageProblem(typed: rejection) else { throw rejection }
        record(rejection, call)
        let page = confirmPage(form["flow"] ?? "", SignUpCode(form), entry, call, problem: problem)
        return show(page, call, status: WebRefusal(rejection).status)
    }
}
