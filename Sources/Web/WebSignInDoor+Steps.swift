import Foundation
import HTTPServer
import HTTPTypes
import Hummingbird
import Pages
import SignIn
import Vocabulary

/// The steps of a sign-in.
extension WebSignInDoor {
    /// `POST /login/step`: the answer to the pending step.
    @Sendable func answerStep(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("continue_sign_in", request, context) { call in
            let form = try await form(request, call)
            let entry = try entry(form, &call)
            do throws(Rejection) {
                let outcome = try await flows.answer(form.stepResponse, flowCall(form, entry, call), for: .signIn)
                return try await finish(outcome, entry, form, &call)
            } catch {
                if let check = botCheckPage(at: "/login/step", form, entry, error, call) { return check }
                return try await askedAgain(form, entry, error, &call)
            }
        }
    }

    /// `GET /login/step`: a waiting page reloads itself with its own ticket.
    @Sendable func askStepAgain(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("continue_sign_in", request, context) { call in
            call.hidesAddress = true
            guard FetchMetadata.isNavigation(request.headers) else { throw WebRefusal(code: "form_not_bound") }
            let (entry, ticket) = try ticketed(try query(request)["ticket"] ?? "", &call)
            guard let flow = ticket.flow, flows.kind(of: flow) == .provider else { throw Rejection.flowExpired }
            let asked = flowCall(flow, entry, call)
            let pending = try await flows.waiting(asked)
            // The flow moved on after an old page was reloaded.
            guard case .resetUnderWay = pending.step else { return try showStep(pending, entry, call, after: nil) }
            let outcome = try await flows.answer(StepResponse(.nothing), asked)
            return try await handle(outcome, entry, &call)
        }
    }

    /// `POST /login/resend`: sends another code.
    @Sendable func resendStep(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("resend_code", request, context) { call in
            let form = try await form(request, call)
            let entry = try entry(form, &call)
            do throws(Rejection) {
                let pending = try await flows.resend(flowCall(form, entry, call), for: .signIn)
                return show(try stepPage(pending, entry, call, typed: form, wasResent: true), call)
            } catch {
                if let check = botCheckPage(at: "/login/resend", form, entry, error, call) { return check }
                return try await askedAgain(form, entry, error, &call)
            }
        }
    }

    /// `POST /recovery-codes`: the codes of the page as a file.
    @Sendable func recoveryCodesFile(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("recovery_codes_file", request, context) { call in
            let codes = Self.recoveryCodes(try await form(request, call))
            guard !codes.isEmpty else { throw Rejection.invalidField(.recoveryCodes, .required) }
            return Response(
                status: .ok,
                headers: [
                    .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store",
                    .contentDisposition: "attachment; filename=\"recovery-codes.txt\"",
                ],
                body: .init(byteBuffer: ByteBuffer(string: codes.map { "\($0)\r\n" }.joined())))
        }
    }

    /// The same step with the problem above its form; other refusals get a page of their own.
    private func askedAgain(
        _ form: FormBody, _ entry: WebEntry, _ rejection: Rejection, _ call: inout WebCall
    ) async throws(Rejection) -> Response {
        let asked = flowCall(form, entry, call)
        if flows.kind(of: asked.flow) == .passkey {
            guard let problem = PageProblem(step: rejection, .passkey) else { throw rejection }
            record(rejection, call)
            let page = loginPage(entry, call, session: nil, problem: problem, suggestsPasskey: false)
            return show(page, call, status: WebRefusal(rejection).status)
        }
        guard PageProblem(step: rejection, nil) != nil else { throw rejection }
        let pending = try await flows.waiting(asked)
        // If no other code can be sent, the flow has ended.
        if rejection == .tooManyTries, pending.step.delivery == nil { throw rejection }
        record(rejection, call)
        let kind = StepForm(pending.step)?.kind
        let problem = PageProblem(step: rejection, kind)
        let status = WebRefusal(rejection).status
        if kind == nil {
            return show(try recoveryCodesPage(pending, entry, call, form: form, problem: problem), call, status: status)
        }
        return show(try stepPage(pending, entry, call, typed: form, problem: problem), call, status: status)
    }
}
