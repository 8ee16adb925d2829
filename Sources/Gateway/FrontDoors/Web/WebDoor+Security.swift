import Accounts
import Foundation
import Hummingbird
import JSON
import Sessions

/// What protects the account of whoever is signed in: second factors, passkeys, recovery codes, the password.
extension WebDoor {
    /// `POST /account/factors`: begins to add one; `type` is `totp` or `passkey`.
    @Sendable func addFactor(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("add_factor", request, context) { (form, session, call) async throws(Rejection) in
            let addition: FactorService.Addition
            switch form["type"] {
            case "totp": addition = .totp
            case "passkey": addition = .passkey
            default: throw .invalidMember(pointer: "/type", reason: "unknown")
            }
            let pending = try await factors.begin(addition, session: session, caller: call.caller)
            return show(try factorPage(pending, session, call), call)
        }
    }

    /// `POST /account/factors/confirm`: proves it.
    @Sendable func confirmFactor(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("confirm_factor", request, context) {
            (form, session, call) async throws(Rejection) in
            let flow = form["flow"] ?? ""
            do throws(Rejection) {
                var response = form.stepResponse
                // Passkeys are told apart by the device that made them.
                if response["credential"] != nil { response["name"] = device(call).name.map(JSON.string) }
                let added = try await factors.confirm(
                    flow: flow, response: response, session: session, caller: call.caller)
                guard let codes = added.recoveryCodes else { return done("factor_added", form) }
                return show(codesPage(codes, session, form, call), call)
            } catch {
                return try await factorAgain(flow, session, error, call)
            }
        }
    }

    /// `POST /account/factors/{id}/remove`.
    @Sendable func removeFactor(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("remove_factor", request, context) { (form, session, call) async throws(Rejection) in
            try await factors.remove(try Self.pathID(context), session: session, caller: call.caller)
            return done("factor_removed", form)
        }
    }

    /// `POST /account/factors/{id}/prefer`.
    @Sendable func preferFactor(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("change_factor", request, context) { (form, session, call) async throws(Rejection) in
            try await factors.change(
                try Self.pathID(context), name: nil, isPreferred: true, session: session, caller: call.caller)
            return done("factor_preferred", form)
        }
    }

    /// `POST /account/recovery-codes`: new ones in place of all there were.
    @Sendable func newRecoveryCodes(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("add_factor", request, context) { (form, session, call) async throws(Rejection) in
            let codes = try await factors.replaceRecoveryCodes(session: session, caller: call.caller)
            return show(codesPage(codes, session, form, call), call)
        }
    }

    /// `POST /account/password`.
    @Sendable func changePassword(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("change_password", request, context) {
            (form, session, call) async throws(Rejection) in
            try await passwordChange.change(
                from: form["current_password"], to: form["new_password"] ?? "", session: session, caller: call.caller)
            return done("password_changed", form)
        }
    }

    /// `POST /account/devices/{id}/forget`: from now on the second factor is asked there again.
    @Sendable func forgetDevice(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("forget_device", request, context) { (form, session, call) async throws(Rejection) in
            try await factors.forget(try Self.pathID(context), session: session, caller: call.caller)
            return done("device_forgotten", form)
        }
    }

    /// A change that may need a second factor first: then that is asked, and leads back to the account.
    private func changingSecurity(
        _ action: String, _ request: Request, _ context: GatewayContext,
        _ body: (FormBody, SessionSnapshot, WebCall) async throws(Rejection) -> Response
    ) async throws -> Response {
        try await answer(action, request, context) { call in
            let form = try await form(request, call)
            speak(form["ui_locales"], &call)
            guard let session = try await session(&call) else { throw Rejection.sessionEnded }
            do throws(Rejection) {
                return try await body(form, session, call)
            } catch .stepUpRequired {
                return try await raise(session, &call)
            } catch {
                guard let problem = PageProblem(ofSecurity: error) else { throw error }
                record(action, WebRefusal(error), call)
                return show(
                    try await accountPage(session, call, problem: problem), call, status: WebRefusal(error).status)
            }
        }
    }

    private func raise(_ session: SessionSnapshot, _ call: inout WebCall) async throws(Rejection) -> Response {
        let entry = try accountEntry(session, call)
        call.comes(with: entry)
        let outcome = try await steps.stepUp(
            session, device: device(call), handing: .cookie, caller: call.caller)
        return try await went(outcome, entry, &call)
    }

    /// The account page as what a sign-in leads to.
    private func accountEntry(_ session: SessionSnapshot, _ call: WebCall) throws(Rejection) -> WebEntry {
        guard let client = clients.client(session.facts.clientID) else { throw .clientUnknown }
        return WebEntry(
            client: client, target: try LoginTarget(.init(), client: client, ownOrigin: ownOrigin),
            locales: call.locales)
    }

    private func factorAgain(
        _ flow: String, _ session: SessionSnapshot, _ rejection: Rejection, _ call: WebCall
    ) async throws(Rejection) -> Response {
        guard PageProblem(step: rejection, nil) != nil, rejection != .tooManyTries, signIn.step(of: flow) == .factor,
            let client = clients.client(session.facts.clientID)
        else { throw rejection }
        let pending = try await steps.waiting(flow: flow, of: client, device: device(call), caller: call.caller)
        record("confirm_factor", WebRefusal(rejection), call)
        let problem = PageProblem(step: rejection, StepPage.Kind(pending.step))
        return show(
            try factorPage(pending, session, call, problem: problem), call, status: WebRefusal(rejection).status)
    }

    private func factorPage(
        _ pending: PendingStep, _ session: SessionSnapshot, _ call: WebCall, problem: PageProblem? = nil
    ) throws(Rejection) -> StepPage {
        try StepPage(
            pending.step, clientName: clientName(session), door: .account,
            hidden: hidden(call, Self.locales(call) + [HiddenField(name: "flow", value: pending.flow)]),
            minimumLength: minimumPasswordLength, backAddress: "/account", problem: problem)
    }

    private func codesPage(
        _ codes: [String], _ session: SessionSnapshot, _ form: FormBody, _ call: WebCall
    ) -> RecoveryCodesPage {
        RecoveryCodesPage(
            clientName: clientName(session), codes: codes,
            hidden: hidden(call, Self.locales(call) + [Self.field(codes)]),
            onwardAddress: WebAddress.of("/account", Self.localesParameter(form["ui_locales"])), problem: nil)
    }

    private func clientName(_ session: SessionSnapshot) -> String {
        clients.client(session.facts.clientID)?.name ?? session.facts.clientID
    }

    private func done(_ deed: String, _ form: FormBody) -> Response {
        .seeOther(WebAddress.of("/account", [("done", deed)] + Self.localesParameter(form["ui_locales"])))
    }

    static func locales(_ call: WebCall) -> [HiddenField] {
        call.locales.map { [HiddenField(name: "ui_locales", value: $0)] } ?? []
    }

    /// The part of the account page.
    func security(_ session: SessionSnapshot) async throws(Rejection) -> AccountPage.Security {
        let known = try await factors.factors(of: session)
        let remembered = known.isProtected ? try await factors.rememberedDevices(of: session) : []
        return AccountPage.Security(
            factors: known.factors.map(AccountPage.Factor.init) + known.passkeys.map(AccountPage.Factor.init),
            canAddPasskey: passkeys.isConfigured,
            recoveryCodesLeft: known.isProtected ? "\(known.recoveryCodes)" : nil,
            minimumPasswordLength: minimumPasswordLength,
            remembered: remembered.map { device in
                .init(id: device.id.idText, name: device.name, expiresAt: RFC3339.text(device.expiresAt))
            })
    }
}

extension AccountPage.Factor {
    fileprivate init(_ factor: AccountFactors.Factor) {
        self.init(
            id: factor.id.idText, kind: factor.kind.rawValue, detail: factor.name ?? factor.address,
            addedAt: RFC3339.text(factor.addedAt), isPreferred: factor.isPreferred)
    }

    fileprivate init(_ passkey: AccountFactors.Passkey) {
        self.init(
            id: passkey.id.idText, kind: ChoiceKind.passkey.rawValue, detail: passkey.name,
            addedAt: RFC3339.text(passkey.addedAt), isPreferred: passkey.isPreferred)
    }
}

extension PageProblem {
    /// What stands in the way of a change of what protects an account; nil for what has a page of its own.
    fileprivate init?(ofSecurity rejection: Rejection) {
        switch rejection {
        case .lastCredential, .factorExists, .noSecondFactor, .secondFactorDemanded, .passkeyRefused:
            self.init(rejection.code)
        case .invalidCredentials, .invalidMember("/current_password", _): self.init("password_wrong")
        default: self.init(typed: rejection)
        }
    }
}
