import Accounts
import Foundation
import Hummingbird
import JSON
import Sessions

/// What protects the account of whoever is signed in.
extension WebDoor {
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
    func changingSecurity(
        _ action: String, _ request: Request, _ context: GatewayContext,
        _ body: (FormBody, SessionSnapshot, WebCall) async throws(Rejection) -> Response
    ) async throws -> Response {
        try await answer(action, request, context) { call in
            let form = try await form(request, call)
            speak(form["ui_locales"], &call)
            let session = try await demandedAccountSession(&call)
            do throws(Rejection) {
                return try await body(form, session, call)
            } catch .stepUpRequired {
                return try await raise(session, to: .init(), &call)
            } catch {
                guard let problem = PageProblem(ofSecurity: error) else { throw error }
                record(action, WebRefusal(error), call)
                return show(
                    try await accountPage(session, call, problem: problem), call, status: WebRefusal(error).status)
            }
        }
    }

    /// Asks for the second factor of whoever is signed in, and leads on from there.
    func raise(_ session: SessionSnapshot, to asked: LoginTarget.Asked, _ call: inout WebCall)
        async throws(Rejection) -> Response
    {
        let entry = try ownEntry(session, asked, call)
        call.comes(with: entry)
        let outcome = try await steps.stepUp(
            session, device: device(call), handing: .cookie, caller: call.caller)
        return try await went(outcome, entry, &call)
    }

    /// A page of ours as what a sign-in leads to.
    private func ownEntry(_ session: SessionSnapshot, _ asked: LoginTarget.Asked, _ call: WebCall) throws(Rejection)
        -> WebEntry
    {
        guard let client = clients.client(session.facts.clientID) else { throw .clientUnknown }
        return WebEntry(
            client: client, target: try LoginTarget(asked, client: client, ownOrigin: ownOrigin),
            locales: call.locales)
    }

    func done(_ deed: String, _ form: FormBody) -> Response {
        .seeOther("/account".addingQuery([("done", deed)] + Self.localesParameter(form["ui_locales"])))
    }

    static func locales(_ call: WebCall) -> [HiddenField] {
        call.locales.map { [HiddenField(name: "ui_locales", value: $0)] } ?? []
    }

    /// The part of the account page.
    func security(_ session: SessionSnapshot) async throws(Rejection) -> AccountPage.Security {
        let known = try await factors.factors(of: session)
        let removalDue = try await factors.removalDue(of: session)
        let remembered = known.isProtected ? try await factors.rememberedDevices(of: session) : []
        return AccountPage.Security(
            factors: known.factors.map(AccountPage.Factor.init) + known.passkeys.map(AccountPage.Factor.init),
            canAddPasskey: passkeys.isConfigured, canAddPhone: sendsTexts,
            recoveryCodesLeft: known.isProtected ? "\(known.recoveryCodes)" : nil,
            minimumPasswordLength: minimumPasswordLength,
            remembered: remembered.map { device in
                .init(id: device.id.text, name: device.name, expiresAt: RFC3339.text(device.expiresAt))
            }, removalDue: removalDue.map { RFC3339.text($0) })
    }
}

extension AccountPage.Factor {
    fileprivate init(_ factor: AccountFactors.Factor) {
        self.init(
            id: factor.id.text, kind: factor.kind.rawValue, detail: factor.name ?? factor.address,
            addedAt: RFC3339.text(factor.addedAt), isPreferred: factor.isPreferred)
    }

    fileprivate init(_ passkey: AccountFactors.Passkey) {
        self.init(
            id: passkey.id.text, kind: ChoiceKind.passkey.rawValue, detail: passkey.name,
            addedAt: RFC3339.text(passkey.addedAt), isPreferred: passkey.isPreferred)
    }
}

extension PageProblem {
    /// What stands in the way of a change of what protects an account; nil for what has a page of its own.
    fileprivate init?(ofSecurity rejection: Rejection) {
        switch rejection {
        case .lastCredential, .factorExists, .noSecondFactor, .secondFactorDemanded, .passkeyRefused, .addressInUse,
            .operatorAccount:
            self.init(rejection.code)
        case .invalidCredentials, .invalidMember("/current_password", _): self.init("password_wrong")
        default: self.init(typed: rejection)
        }
    }
}
