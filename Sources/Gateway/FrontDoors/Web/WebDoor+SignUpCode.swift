import Hummingbird
import Sessions

/// The code that a sign-up sent.
extension WebDoor {
    /// `POST /sign-up/confirm`: the code, typed.
    @Sendable func confirmSignUp(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("confirm_sign_up", request, context) { call in
            let form = try await form(request, call)
            let entry = try entry(form, &call)
            do throws(Rejection) {
                let answer = StepResponse(.code(form["code"] ?? ""))
                let outcome = try await flows.answer(answer, flowCall(form, entry, call), for: .signUp)
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
                let pending = try await flows.resend(flowCall(form, entry, call), for: .signUp)
                return show(confirmPage(pending, entry, call, wasResent: true), call)
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
        let page = confirmPage(form["flow"] ?? "", SignUpCode(form), entry, call, problem: problem)
        return show(page, call, status: WebRefusal(rejection).status)
    }

    /// The page of a code that was just sent.
    func confirmPage(
        _ pending: PendingStep, _ entry: WebEntry, _ call: WebCall, wasResent: Bool = false
    ) -> ConfirmPage {
        confirmPage(pending.flow, SignUpCode(pending.step.delivery), entry, call, wasResent: wasResent)
    }

    private func confirmPage(
        _ flow: String, _ sent: SignUpCode, _ entry: WebEntry, _ call: WebCall, wasResent: Bool = false,
        problem: PageProblem? = nil
    ) -> ConfirmPage {
        ConfirmPage(
            clientName: entry.client.name,
            hidden: hidden(call, entry.hidden + [HiddenField(name: "flow", value: flow)] + sent.hidden),
            destination: sent.destination, isText: sent.isText, codeLength: sent.length, wasResent: wasResent,
            backAddress: entry.address(of: "/sign-up"), problem: problem)
    }
}

/// What the page says of the message; it comes back with the form, is shown to whoever sent it, and decides nothing.
private struct SignUpCode {
    let destination: String
    let isText: Bool
    let length: Int

    init(_ delivery: SentCode?) {
        (destination, length) = (delivery?.destination ?? "", delivery?.codeLength ?? 6)
        isText = delivery?.medium == .sms
    }

    init(_ form: FormBody) {
        destination = String((form["destination"] ?? "").prefix(254))
        length = form["code_length"].flatMap { Int($0) }.map { min(max($0, 4), 12) } ?? 6
        isText = form["medium"] == Medium.sms.rawValue
    }

    var hidden: [HiddenField] {
        [
            HiddenField(name: "destination", value: destination), HiddenField(name: "code_length", value: "\(length)"),
            HiddenField(name: "medium", value: (isText ? Medium.sms : .email).rawValue),
        ]
    }
}
