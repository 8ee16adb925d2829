import Clients
import HTTPServer
import Hummingbird
import Pages
import Sessions
import SignIn
import Vocabulary

/// The pages for adding addresses and factors to the user's own account.
extension WebSecurityDoor {
    /// `POST /account/resend`: sends another code.
    @Sendable func resendAccountStep(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("resend_code", in: .twoStep, request, context) {
            (form, session, call) async throws(Rejection) in
            do throws(Rejection) {
                let asked = FlowCall(form["flow"] ?? "", caller: call.caller)
                let pending = try await flows.resend(asked, for: .ownAccount)
                return show(try accountStep(pending, form, session, call, wasResent: true), call)
            } catch {
                return try await askedAgain(form, session, error, call)
            }
        }
    }

    /// The page of the next step.
    ///
    /// - Parameter form: the previous form, whose address the page shows.
    func accountStep(
        _ pending: PendingStep, _ form: FormBody, _ session: SessionSnapshot, _ call: WebCall,
        wasResent: Bool = false, problem: PageProblem? = nil
    ) throws(Rejection) -> StepPage {
        let section = section(of: pending)
        let fields = [
            HiddenField(name: "flow", value: pending.flow), HiddenField(name: "section", value: section.rawValue),
        ]
        let typed = pending.step.delivery?.typedDestination(in: form)
        return try StepPage(
            pending.step, clientName: clientName(session),
            door: flows.kind(of: pending.flow) == .address ? .address : .account,
            hidden: hidden(
                call, Self.locales(call) + fields + (typed.map { [HiddenField(name: "destination", value: $0)] } ?? [])),
            minimumLength: minimumPasswordLength, backAddress: section.address, typed: form, wasResent: wasResent,
            problem: problem)
    }

    /// The section that a step belongs to.
    private func section(of pending: PendingStep) -> AccountSection {
        if case .passkeySetUp = pending.step { return .signInMethods }
        return flows.kind(of: pending.flow) == .address ? .profile : .twoStep
    }

    /// The same step again with the problem.
    ///
    /// The account page shows a refusal that another answer cannot solve.
    func askedAgain(
        _ form: FormBody, _ session: SessionSnapshot, _ rejection: Rejection, _ call: WebCall
    ) async throws(Rejection) -> Response {
        let flow = form["flow"] ?? ""
        guard PageProblem(step: rejection, nil) != nil, ![.tooManyTries, .factorExists].contains(rejection),
            [.factor, .address].contains(flows.kind(of: flow)), let client = clients.client(session.facts.clientID)
        else { throw rejection }
        let pending = try await flows.waiting(
            FlowCall(flow, of: client, device: device(call), caller: call.caller))
        record(rejection, call)
        let problem = PageProblem(step: rejection, StepForm(pending.step)?.kind)
        let page = try accountStep(pending, form, session, call, problem: problem)
        return show(page, call, status: WebRefusal(rejection).status)
    }

    /// Asks for an e-mail address or a phone number.
    func askingPage(
        _ kind: StepPage.Kind, _ door: StepPage.Door, _ form: FormBody, _ session: SessionSnapshot, _ call: WebCall,
        problem: PageProblem? = nil
    ) throws(Rejection) -> StepPage {
        let type = HiddenField(name: "type", value: form["type"] ?? "")
        return StepPage(
            asking: kind, clientName: clientName(session), door: door,
            hidden: hidden(call, Self.locales(call) + [type]), typed: form, problem: problem)
    }

    /// Runs `body` with the typed address; the same page shows a problem with it.
    func asking(
        _ kind: StepPage.Kind, _ door: StepPage.Door, _ form: FormBody, _ session: SessionSnapshot, _ call: WebCall,
        _ body: () async throws(Rejection) -> Response
    ) async throws(Rejection) -> Response {
        do throws(Rejection) {
            return try await body()
        } catch {
            guard let problem = PageProblem(asking: error, kind) else { throw error }
            record(error, call)
            let page = try askingPage(kind, door, form, session, call, problem: problem)
            return show(page, call, status: WebRefusal(error).status)
        }
    }
}

extension StepPage {
    /// A page that asks for the address of codes; it sends nothing yet.
    fileprivate init(
        asking kind: Kind, clientName: String, door: Door, hidden: [HiddenField], typed: FormBody,
        problem: PageProblem?
    ) {
        self.init(
            clientName: clientName, kind: kind, door: door, hidden: hidden, destination: nil, codeLength: 6,
            minimumLength: 0, choices: [], authenticator: nil, passkeyOptions: "", question: "", username: "",
            attributes: [], onwardAddress: nil, refreshAfter: nil, code: "", email: typed["email"] ?? "",
            phone: typed["phone"] ?? "", isTyped: false, wasResent: false, offersRemembering: false,
            isRemembering: false,
            helps: false, backAddress: (door == .newAddress ? AccountSection.profile : .twoStep).address,
            problem: problem)
    }
}

extension PageProblem {
    /// The problem with an address or phone number; nil if another page shows the refusal.
    fileprivate init?(asking rejection: Rejection, _ kind: StepPage.Kind) {
        let field: FormField = kind.asksForPhone ? .phone : .email
        switch rejection {
        case .invalidField(.email, _), .invalidField(.phone, _), .invalidField(.address, _):
            self.init(kind.asksForPhone ? "phone_invalid" : "email_invalid")
        case .factorNotIndependent: self.init(rejection.code)
        case .deliveryRefused, .countryNotServed: self.init(rejection.code, about: field)
        default: self.init(typed: rejection)
        }
    }
}
