import Clients
import Foundation
import HTTPServer
import Hummingbird
import Pages
import Sessions
import SignIn
import Vocabulary

/// The pages of pending steps.
extension HostedPages {
    /// The id of this browser as a device, and its name in lists.
    func device(_ call: WebCall) -> DeviceHint {
        DeviceHint(
            name: call.caller.userAgent.map(UserAgent.name), token: call.cookies[CookieName.device],
            session: call.cookies[CookieName.session].flatMap(sessionCookies.parse)?.session)
    }

    /// A call of this browser for the pending flow in a form.
    func flowCall(_ form: FormBody, _ entry: WebEntry, _ call: WebCall) -> FlowCall {
        flowCall(form["flow"] ?? "", entry, call, botToken: botToken(form, entry.client))
    }

    func flowCall(_ flow: String, _ entry: WebEntry, _ call: WebCall, botToken: String? = nil) -> FlowCall {
        FlowCall(
            flow, of: entry.client, device: device(call), handing: entry.target.handing,
            botToken: botToken, caller: call.caller)
    }

    /// The answer of a form that may set up a passkey, which its device's name distinguishes from others.
    func namedFactor(_ form: FormBody, _ call: WebCall) -> StepResponse {
        var response = form.stepResponse
        if case .passkey = response.answer { response.factorName = device(call).name }
        return response
    }

    /// The page of the pending step.
    func showStep(
        _ pending: PendingStep, _ entry: WebEntry, _ call: WebCall, after form: FormBody?
    ) throws(Rejection) -> Response {
        if case .recoveryCodes = pending.step {
            return show(try recoveryCodesPage(pending, entry, call), call)
        }
        return show(try stepPage(pending, entry, call, typed: form), call)
    }

    func stepPage(
        _ pending: PendingStep, _ entry: WebEntry, _ call: WebCall, typed: FormBody? = nil, wasResent: Bool = false,
        problem: PageProblem? = nil
    ) throws(Rejection) -> StepPage {
        try StepPage(
            pending.step, isLedByProvider: flows.kind(of: pending.flow) == .provider,
            clientName: entry.client.name, door: .signIn,
            hidden: hidden(call, entry.hidden + Self.carried(pending.flow, typed)),
            minimumLength: minimumPasswordLength, onwardAddress: onwardAddress(pending, entry, call),
            backAddress: entry.hinting(typed?["username"]).address(of: "/login"), typed: typed, wasResent: wasResent,
            problem: problem)
    }

    /// The target of a step without a form: the step itself again, or our redirect to the provider.
    private func onwardAddress(_ pending: PendingStep, _ entry: WebEntry, _ call: WebCall) -> String? {
        switch pending.step {
        case .continueInBrowser(let url): return entry.adding(to: url)
        case .resetUnderWay:
            let ticket = WebTickets.Ticket(
                client: entry.client.id, target: entry.target.asked, flow: pending.flow, locales: entry.locales)
            let sealed = tickets.seal(ticket, for: call.browser, at: directory.now)
            return "/login/step".addingQuery([("ticket", sealed)])
        default: return nil
        }
    }

    private static func carried(_ flow: String, _ form: FormBody?) -> [HiddenField] {
        let kept = ["username", PasskeyOfferPage.field].compactMap { name in
            form?[name].map { HiddenField(name: name, value: $0) }
        }
        return [HiddenField(name: "flow", value: flow)] + kept
    }

    func recoveryCodesPage(
        _ pending: PendingStep, _ entry: WebEntry, _ call: WebCall, form: FormBody? = nil, problem: PageProblem? = nil
    ) throws(Rejection) -> RecoveryCodesPage {
        let codes = pending.recoveryCodes ?? form.map(Self.recoveryCodes) ?? []
        return RecoveryCodesPage(
            clientName: entry.client.name, codes: codes,
            hidden: hidden(
                call, entry.hidden + [HiddenField(name: "flow", value: pending.flow), Self.field(codes)]),
            onwardAddress: nil, problem: problem)
    }

    /// The recovery codes as a hidden field.
    static func field(_ codes: [String]) -> HiddenField {
        HiddenField(name: "codes", value: codes.joined(separator: " "))
    }

    /// The recovery codes in a form, and no other text.
    ///
    /// We return them as a file, so that file must not contain arbitrary text.
    static func recoveryCodes(_ form: FormBody) -> [String] {
        let codes = (form["codes"] ?? "").prefix(400).split(separator: " ")
        return codes.map(String.init).filter { code in
            code.utf8.count <= 32
                && code.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
        }
    }
}
