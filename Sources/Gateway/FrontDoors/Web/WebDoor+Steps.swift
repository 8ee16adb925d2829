import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import JSON
import Sessions

/// The steps of a sign-in, whichever they are.
extension WebDoor {
    /// `POST /login/step`: the answer to what is asked.
    @Sendable func answerStep(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("continue_sign_in", request, context) { call in
            let form = try await form(request, call)
            let entry = try entry(form, &call)
            let flow = form["flow"] ?? ""
            do throws(Rejection) {
                return try await went(try await outcome(flow, form, entry, call), entry, &call, after: form)
            } catch {
                return try await askedAgain(form, entry, error, "continue_sign_in", &call)
            }
        }
    }

    /// `GET /login/step`: a page that waits comes back by itself, with a ticket of its own.
    @Sendable func askStepAgain(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("continue_sign_in", request, context) { call in
            call.hidesAddress = true
            guard FetchMetadata.isNavigation(request.headers) else { throw WebRefusal(code: "form_not_bound") }
            let (entry, ticket) = try ticketed(try query(request)["ticket"] ?? "", &call)
            guard let flow = ticket.flow, signIn.step(of: flow) == .provider else { throw Rejection.flowExpired }
            let pending = try await stepwise.waiting(flow: flow, of: entry.client)
            // An old page, reloaded: the flow has gone on.
            guard pending.step.retryAfter != nil else { return try showStep(pending, entry, call, after: nil) }
            let outcome = try await stepwise.answer(
                flow: flow, response: [:], of: entry.client, device: device(call), handing: entry.target.handing,
                caller: call.caller)
            return try await went(outcome, entry, &call)
        }
    }

    /// `POST /login/resend`: another code.
    @Sendable func resendStep(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("resend_code", request, context) { call in
            let form = try await form(request, call)
            let entry = try entry(form, &call)
            do throws(Rejection) {
                let pending = try await resent(form["flow"] ?? "", call)
                return show(try stepPage(pending, entry, call, typed: form, wasResent: true), call)
            } catch {
                return try await askedAgain(form, entry, error, "resend_code", &call)
            }
        }
    }

    private func resent(_ flow: String, _ call: WebCall) async throws(Rejection) -> PendingStep {
        switch signIn.step(of: flow) {
        case .signIn: try await steps.resend(flow: flow, caller: call.caller)
        case .provider: try await stepwise.resend(flow: flow, caller: call.caller)
        default: throw .flowExpired
        }
    }

    /// `POST /recovery-codes`: the codes of the page as a file.
    @Sendable func recoveryCodesFile(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("recovery_codes_file", request, context) { call in
            let codes = Self.recoveryCodes(try await form(request, call))
            guard !codes.isEmpty else { throw Rejection.invalidMember(pointer: "/codes", reason: "required") }
            return Response(
                status: .ok,
                headers: [
                    .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store",
                    .contentDisposition: "attachment; filename=\"recovery-codes.txt\"",
                ],
                body: .init(byteBuffer: ByteBuffer(string: codes.map { "\($0)\r\n" }.joined())))
        }
    }

    /// What this browser is known by, and called in lists.
    func device(_ call: WebCall) -> DeviceHint {
        DeviceHint(name: call.caller.userAgent.map(UserAgent.name), token: call.cookies[CookieName.device])
    }

    private func outcome(
        _ flow: String, _ form: FormBody, _ entry: WebEntry, _ call: WebCall
    ) async throws(Rejection) -> SignInOutcome {
        switch signIn.step(of: flow) {
        case .signIn:
            try await steps.answer(
                flow: flow, response: form.stepResponse, of: entry.client, device: device(call),
                handing: entry.target.handing, caller: call.caller)
        case .passkey:
            try await passkeys.finish(
                flow: flow, response: form.stepResponse, of: entry.client, device: device(call),
                handing: entry.target.handing, caller: call.caller)
        case .provider:
            try await stepwise.answer(
                flow: flow, response: form.stepResponse, of: entry.client, device: device(call),
                handing: entry.target.handing, caller: call.caller)
        case .linkAccount, .signUp, .factor, .address, nil: throw .flowExpired
        }
    }

    /// The same step again, with the problem above its form; what is no fault of the answer gets a page of its own.
    private func askedAgain(
        _ form: FormBody, _ entry: WebEntry, _ rejection: Rejection, _ action: String, _ call: inout WebCall
    ) async throws(Rejection) -> Response {
        let flow = form["flow"] ?? ""
        if signIn.step(of: flow) == .passkey {
            guard let problem = PageProblem(step: rejection, .passkey) else { throw rejection }
            record(action, WebRefusal(rejection), call)
            let page = loginPage(entry, call, session: nil, problem: problem, suggestsPasskey: false)
            return show(page, call, status: WebRefusal(rejection).status)
        }
        guard PageProblem(step: rejection, nil) != nil else { throw rejection }
        let pending =
            if signIn.step(of: flow) == .provider {
                try await stepwise.waiting(flow: flow, of: entry.client)
            } else {
                try await steps.waiting(flow: flow, of: entry.client, device: device(call), caller: call.caller)
            }
        // Without another code to be sent the flow is over.
        if rejection == .tooManyTries, pending.step.delivery == nil { throw rejection }
        record(action, WebRefusal(rejection), call)
        let kind = StepPage.Kind(pending.step)
        let problem = PageProblem(step: rejection, kind)
        let status = WebRefusal(rejection).status
        if kind == nil {
            return show(try recoveryCodesPage(pending, entry, call, form: form, problem: problem), call, status: status)
        }
        return show(try stepPage(pending, entry, call, typed: form, problem: problem), call, status: status)
    }

    /// What the waiting step looks like.
    func showStep(
        _ pending: PendingStep, _ entry: WebEntry, _ call: WebCall, after form: FormBody?
    ) throws(Rejection) -> Response {
        if pending.step.type == StepPage.recoveryCodes {
            return show(try recoveryCodesPage(pending, entry, call), call)
        }
        return show(try stepPage(pending, entry, call, typed: form), call)
    }

    private func stepPage(
        _ pending: PendingStep, _ entry: WebEntry, _ call: WebCall, typed: FormBody? = nil, wasResent: Bool = false,
        problem: PageProblem? = nil
    ) throws(Rejection) -> StepPage {
        try StepPage(
            pending.step, clientName: entry.client.name, door: .signIn,
            hidden: hidden(call, entry.hidden + Self.carried(pending.flow, typed)),
            minimumLength: minimumPasswordLength, onwardAddress: onwardAddress(pending, entry, call),
            backAddress: entry.address(of: "/login"), typed: typed, wasResent: wasResent, problem: problem)
    }

    /// Where a step leads that is no form: round to itself, or to our own way to the provider.
    private func onwardAddress(_ pending: PendingStep, _ entry: WebEntry, _ call: WebCall) -> String? {
        guard pending.step.retryAfter != nil else { return pending.step.url.map(entry.adding(to:)) }
        let ticket = WebTickets.Ticket(
            client: entry.client.id, target: entry.target.asked, flow: pending.flow, locales: entry.locales)
        return "/login/step".addingQuery([("ticket", tickets.seal(ticket, for: call.browser, at: directory.now))])
    }

    private static func carried(_ flow: String, _ form: FormBody?) -> [HiddenField] {
        [HiddenField(name: "flow", value: flow)]
            + (form?["username"].map { [HiddenField(name: "username", value: $0)] } ?? [])
    }

    private func recoveryCodesPage(
        _ pending: PendingStep, _ entry: WebEntry, _ call: WebCall, form: FormBody? = nil, problem: PageProblem? = nil
    ) throws(Rejection) -> RecoveryCodesPage {
        let codes = pending.recoveryCodes ?? form.map(Self.recoveryCodes) ?? []
        return RecoveryCodesPage(
            clientName: entry.client.name, codes: codes,
            hidden: hidden(
                call, entry.hidden + [HiddenField(name: "flow", value: pending.flow), Self.field(codes)]),
            onwardAddress: nil, problem: problem)
    }

    /// The codes as a page carries them along.
    static func field(_ codes: [String]) -> HiddenField {
        HiddenField(name: "codes", value: codes.joined(separator: " "))
    }

    /// Nothing but codes: what a form brings is sent back as a file in our name.
    static func recoveryCodes(_ form: FormBody) -> [String] {
        let codes = (form["codes"] ?? "").prefix(200).split(separator: " ")
        return codes.map(String.init).filter { code in
            code.utf8.count <= 16
                && code.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
        }
    }
}

extension HTTPField.Name {
    static let contentDisposition = known("Content-Disposition")
}
