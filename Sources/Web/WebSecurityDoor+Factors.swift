import Foundation
import HTTPServer
import Hummingbird
import Pages
import Sessions
import SignIn
import Vocabulary

/// The user's own second factors and passkeys.
extension WebSecurityDoor {
    /// `POST /account/factors`: begins to add a factor; `type` is as in the API.
    ///
    /// Without an address in the form, the page first asks for one.
    @Sendable func addFactor(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("add_factor", in: .twoStep, request, context) {
            (form, session, call) async throws(Rejection) in
            let kind: StepPage.Kind
            switch form["type"] {
            case "totp": return try await beginFactor(.totp, form, session, call)
            case "passkey": return try await beginFactor(.passkey, form, session, call)
            case "email": kind = .mailSetUp
            case "sms" where sendsTexts: kind = .textSetUp
            default: throw .invalidField(.kind, .unknown)
            }
            let typed = kind == .mailSetUp ? form["email"] : form["phone"]
            guard let typed else { return show(try askingPage(kind, .newFactor, form, session, call), call) }
            return try await asking(kind, .newFactor, form, session, call) { () async throws(Rejection) in
                try await beginFactor(kind == .mailSetUp ? .email(typed) : .sms(typed), form, session, call)
            }
        }
    }

    private func beginFactor(
        _ addition: FactorService.Addition, _ form: FormBody, _ session: SessionSnapshot, _ call: WebCall
    ) async throws(Rejection) -> Response {
        let pending = try await pages.factors.begin(addition, session: session, caller: call.caller)
        return show(try accountStep(pending, form, session, call), call)
    }

    /// `POST /account/factors/confirm`: proves the new factor.
    @Sendable func confirmFactor(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("confirm_factor", in: .twoStep, request, context) {
            (form, session, call) async throws(Rejection) in
            do throws(Rejection) {
                let response = namedFactor(form, call)
                let added = try await pages.factors.confirm(
                    flow: form["flow"] ?? "", response: response, session: session, caller: call.caller)
                guard let codes = added.recoveryCodes else {
                    if case .passkey = response.answer { return done(.passkeyAdded, form) }
                    return done(.factorAdded, form)
                }
                return show(codesPage(codes, session, form, call), call)
            } catch {
                return try await askedAgain(form, session, error, call)
            }
        }
    }

    /// `POST /account/factors/{id}/remove`.
    @Sendable func removeFactor(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("remove_factor", in: .twoStep, request, context) {
            (form, session, call) async throws(Rejection) in
            try await pages.factors.remove(try Self.pathID(context), session: session, caller: call.caller)
            return done(.factorRemoved, form)
        }
    }

    /// `POST /account/factors/{id}/prefer`.
    @Sendable func preferFactor(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("change_factor", in: .twoStep, request, context) {
            (form, session, call) async throws(Rejection) in
            try await pages.factors.change(
                try Self.pathID(context), name: nil, isPreferred: true, session: session, caller: call.caller)
            return done(.factorPreferred, form)
        }
    }

    /// `POST /account/factor-removal/cancel`: cancels the removal that an operator requested.
    @Sendable func keepFactors(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("keep_factors", in: .twoStep, request, context) {
            (form, session, call) async throws(Rejection) in
            try await pages.factors.keep(session, caller: call.caller)
            return done(.factorsKept, form)
        }
    }

    /// `POST /account/recovery-codes`: replaces all recovery codes.
    @Sendable func newRecoveryCodes(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("add_factor", in: .twoStep, request, context) {
            (form, session, call) async throws(Rejection) in
            let codes = try await pages.factors.replaceRecoveryCodes(session: session, caller: call.caller)
            return show(codesPage(codes, session, form, call), call)
        }
    }

    private func codesPage(
        _ codes: [String], _ session: SessionSnapshot, _ form: FormBody, _ call: WebCall
    ) -> RecoveryCodesPage {
        RecoveryCodesPage(
            clientName: clientName(session), codes: codes,
            hidden: hidden(call, Self.locales(call) + [Self.field(codes)]),
            onwardAddress: AccountSection.twoStep.address.addingQuery(Self.localesParameter(form["ui_locales"])),
            problem: nil)
    }
}
