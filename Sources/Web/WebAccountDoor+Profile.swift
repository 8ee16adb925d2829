import Authorization
import Clients
import Foundation
import HTTPServer
import Hummingbird
import JSON
import Pages
import Sessions
import SignIn
import Vocabulary

/// The sections of the account page, and changes of the profile, the identities and the sessions.
extension WebAccountDoor {
    func accountPage(
        _ section: AccountSection, _ request: Request, _ context: GatewayContext
    ) async throws -> Response {
        try await answer("account_page", request, context) { call in
            let fields = try query(request)
            guard let session = try await accountSession(&call) else {
                return .seeOther(loginAddress(section, fields))
            }
            speak(fields["ui_locales"], &call)
            let done = fields["done"].flatMap { AccountNotice(rawValue: $0)?.rawValue }
            let page = try await pages.accountPage(section, session, call, cursor: fields["cursor"], done: done)
            return show(page, call)
        }
    }

    /// `POST /account/profile`: changes or removes the display name.
    @Sendable func saveProfile(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changing("change_account", request, context, done: .saved) {
            (form, session, call) async throws(Rejection) in
            let name = form["display_name"] ?? ""
            let sent: JSONObject = ["display_name": name.isEmpty ? .null : .string(name)]
            _ = try await pages.accounts.change(sent, session: session, caller: call.caller)
        }
    }

    /// `POST /account/identities/{id}/unlink`.
    @Sendable func unlinkIdentity(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("unlink_identity", in: .signInMethods, request, context) {
            (form, session, call) async throws(Rejection) in
            try await pages.accounts.unlink(try Self.pathID(context), session: session, caller: call.caller)
            return done(.unlinked, form)
        }
    }

    /// `POST /account/sessions/{id}/end`.
    @Sendable func endSession(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changing("end_session", request, context, done: .ended) {
            (_, session, call) async throws(Rejection) in
            let ended = try await sessions.end(
                try Self.pathID(context), of: session.facts.account, reason: "ended_by_owner",
                client: session.facts.clientID, caller: call.caller)
            guard ended else { throw .notFound }
        }
    }

    /// `POST /account/apps/{client}/revoke`: takes an app's access back.
    @Sendable func revokeApp(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changing("revoke_grant", request, context, done: .accessRevoked) {
            (_, session, call) async throws(Rejection) in
            let client = context.parameters.get("client") ?? ""
            guard try await pages.grants.revoke(client, of: session.facts.account, caller: call.caller) else {
                throw .notFound
            }
        }
    }

    /// `POST /logout`: `scope` is `local` or `global`.
    @Sendable func signOut(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("sign_out", request, context) { call in
            let form = try await form(request, call)
            speak(form["ui_locales"], &call)
            let isGlobal = form["scope"] == "global"
            if let session = try await session(&call, isHarmless: !isGlobal) {
                let facts = session.facts
                if isGlobal {
                    // A global sign-out also ends the sessions of other apps.
                    try clients.require(.account, of: session)
                    try await sessions.endAll(
                        of: facts.account, asking: facts.session, client: facts.clientID, caller: call.caller)
                } else {
                    try await end(session, &call)
                }
            }
            call.forgetSession()
            if let target = signOutTarget(form) { return .seeOther(target) }
            return show(
                NoticePage(
                    code: isGlobal ? "signed_out_everywhere" : "signed_out", arguments: [:], requestID: nil,
                    actions: [.init(key: "sign_in", address: "/login", isMain: true)]), call)
        }
    }

    /// Changes the user's own account; the page shows a refusal.
    private func changing(
        _ action: String, _ request: Request, _ context: GatewayContext, done notice: AccountNotice,
        _ body: (FormBody, SessionSnapshot, WebCall) async throws(Rejection) -> Void
    ) async throws -> Response {
        try await answer(action, request, context) { call in
            let form = try await form(request, call)
            speak(form["ui_locales"], &call)
            let session = try await demandedAccountSession(&call)
            do throws(Rejection) {
                try await body(form, session, call)
                return done(notice, form)
            } catch {
                guard let problem = PageProblem(ofAccount: error) else { throw error }
                record(error, call)
                let page = try await pages.accountPage(notice.section, session, call, problem: problem)
                return show(page, call, status: WebRefusal(error).status)
            }
        }
    }

    /// The sign-in page, which leads back to the section.
    ///
    /// The link of a mail names the reader's app, whose sign-in page has the reader's methods.
    private func loginAddress(_ section: AccountSection, _ fields: FormBody) -> String {
        let app = fields["client_id"].flatMap(clients.client).flatMap { $0.audiences.contains(.account) ? $0.id : nil }
        let target = [("client_id", app), ("return_to", section.returnPath)].compactMap { name, value in
            value.map { (name: name, value: $0) }
        }
        return "/login".addingQuery(target + Self.localesParameter(fields["ui_locales"]))
    }
}

extension PageProblem {
    /// The problem that stops a change on the account page; nil if the refusal has its own page.
    fileprivate init?(ofAccount rejection: Rejection) {
        switch rejection {
        case .lastCredential, .identityInUse, .undoOver, .undoBlocked, .deletionWaits: self.init(rejection.code)
        case .invalidField(.displayName, _): self.init("display_name_invalid")
        default: return nil
        }
    }
}
