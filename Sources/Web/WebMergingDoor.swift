import Accounts
import Foundation
import HTTPServer
import Hummingbird
import Pages
import Sessions
import SignIn
import Vocabulary

/// Merging two accounts of the signed-in user.
///
/// Pages offer it when linking a provider finds an identity of the other account.
struct WebMergingDoor: AccountPagesDoor {
    let pages: AccountPages

    func mount(on router: Router<GatewayContext>) {
        router.get("account/merge", use: mergePage)
        router.post("account/merge", use: mergeAccounts)
        router.post("account/merges/{id}/undo", use: undoMerge)
    }

    /// `GET /account/merge?ticket=…`: a preview that changes nothing.
    @Sendable func mergePage(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("merge_page", request, context) { call in
            let fields = try query(request)
            let session = try await demandedAccountSession(&call)
            speak(fields["ui_locales"], &call)
            let ticket = fields["ticket"] ?? ""
            do throws(Rejection) {
                return show(try await mergePage(ticket, session, call), call)
            } catch .stepUpRequired {
                return try await raise(session, to: .init(returnTo: Self.mergeAddress(ticket)), &call)
            } catch {
                throw error
            }
        }
    }

    /// `POST /account/merge`: with the preview's digest; after a change it shows a new preview.
    @Sendable func mergeAccounts(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("merge_own_accounts", in: .signInMethods, request, context) {
            (form, session, call) async throws(Rejection) in
            let ticket = form["ticket"] ?? ""
            do throws(Rejection) {
                _ = try await pages.merging.merge(
                    ticket, expecting: form["digest"] ?? "", session: session, caller: call.caller)
                return done(.merged, form)
            } catch .accountsChanged {
                record(.accountsChanged, call)
                let page = try await mergePage(ticket, session, call, problem: PageProblem("accounts_changed"))
                return show(page, call, status: .conflict)
            }
        }
    }

    /// `POST /account/merges/{id}/undo`: ends every session of the account, including this browser's.
    @Sendable func undoMerge(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("undo_own_merge", in: .signInMethods, request, context) {
            (_, session, call) async throws(Rejection) in
            try await pages.merging.undo(try Self.pathID(context), session: session, caller: call.caller)
            let page = NoticePage(
                code: "merge_undone", arguments: [:], requestID: nil,
                actions: [.init(key: "sign_in", address: "/login", isMain: true)])
            var response = show(page, call)
            response.headers.append(SetCookie.removed(CookieName.session).field)
            return response
        }
    }

    private func mergePage(
        _ ticket: String, _ session: SessionSnapshot, _ call: WebCall, problem: PageProblem? = nil
    ) async throws(Rejection) -> OwnMergePage {
        let preview = try await pages.merging.preview(ticket, session: session, caller: call.caller)
        return OwnMergePage(
            clientName: clientName(session), who: session.account.email ?? session.account.displayName,
            identities: preview.identities.map { identity in
                .init(
                    provider: identity.provider, name: providerName(identity.provider), email: identity.email)
            },
            emails: preview.emails, phones: preview.phones,
            protections: preview.passkeys + preview.factors > 0 ? "\(preview.passkeys + preview.factors)" : nil,
            movesPassword: preview.movesPassword, losesPassword: preview.losesPassword,
            endsSessions: preview.endsSessions > 0 ? "\(preview.endsSessions)" : nil,
            hidden: hidden(
                call,
                Self.locales(call) + [
                    HiddenField(name: "ticket", value: ticket), HiddenField(name: "digest", value: preview.digest),
                ]),
            problem: problem)
    }
}
