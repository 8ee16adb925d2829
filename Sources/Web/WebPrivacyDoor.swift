import Accounts
import Foundation
import HTTPServer
import Hummingbird
import Pages
import Sessions
import Telemetry
import Vocabulary

/// Export and deletion of the user's own account.
struct WebPrivacyDoor: AccountPagesDoor {
    let pages: AccountPages
    let deletion: DeletionService
    let export: ExportService

    func mount(on router: Router<GatewayContext>) {
        router.post("account/export", use: exportAccount)
        router.get("account/delete", use: deletePage)
        router.post("account/delete", use: deleteAccount)
        router.post("account/deletion/cancel", use: cancelDeletion)
    }

    /// `POST /account/export`: all stored data of the account, as a file.
    @Sendable func exportAccount(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("export_account", in: .data, request, context) {
            (_, session, call) async throws(Rejection) in
            let file = try await export.export(session, caller: call.caller)
            do {
                return try .export(file, of: session.facts.account)
            } catch {
                throw .internalError
            }
        }
    }

    /// `GET /account/delete`: explains the deletion and its date.
    @Sendable func deletePage(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("delete_page", request, context) { call in
            let fields = try query(request)
            let locales = Self.localesParameter(fields["ui_locales"])
            guard let session = try await accountSession(&call) else {
                return .seeOther("/login".addingQuery(locales))
            }
            speak(fields["ui_locales"], &call)
            guard session.account.deletion == nil else { return .seeOther("/account".addingQuery(locales)) }
            return show(deletePage(session, call, problem: nil), call)
        }
    }

    /// `POST /account/delete`: schedules the deletion or deletes at once, and signs this browser out.
    @Sendable func deleteAccount(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("delete_account", in: .data, request, context) {
            (form, session, call) async throws(Rejection) in
            guard form["confirm"] == "true" else {
                return show(
                    deletePage(session, call, problem: PageProblem("confirmation_required")), call, status: .badRequest)
            }
            let waiting = try await deletion.request(session, caller: call.caller)
            var response = show(Self.farewell(waiting), call)
            response.headers.append(SetCookie.removed(CookieName.session).field)
            return response
        }
    }

    /// `POST /account/deletion/cancel`: cancels the deletion.
    @Sendable func cancelDeletion(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("cancel_deletion", in: .data, request, context) {
            (form, session, call) async throws(Rejection) in
            try await deletion.cancel(session, caller: call.caller)
            return done(.deletionCancelled, form)
        }
    }

    private func deletePage(_ session: SessionSnapshot, _ call: WebCall, problem: PageProblem?) -> DeletePage {
        DeletePage(
            clientName: clientName(session), who: session.account.email ?? session.account.displayName,
            days: deletion.waitingDays > 0 ? "\(deletion.waitingDays)" : nil,
            hidden: hidden(call, Self.locales(call)), problem: problem)
    }

    private static func farewell(_ waiting: AccountDeletion?) -> NoticePage {
        guard let waiting else {
            return NoticePage(code: "account_deleted", arguments: [:], requestID: nil, actions: [])
        }
        return NoticePage(
            code: "deletion_requested", arguments: ["date": RFC3339.text(waiting.dueAt)], requestID: nil,
            actions: [.init(key: "sign_in", address: "/login", isMain: false)])
    }
}
