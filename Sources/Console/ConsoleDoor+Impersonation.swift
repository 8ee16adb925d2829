import Accounts
import Foundation
import HTTPServer
import HTTPTypes
import Hummingbird
import JSON
import OperatorAccess
import Pages
import Sessions
import Vocabulary

/// Acting for a user: the browser holds the session for the user, and keeps the operator's own one beside it.
extension ConsoleDoor {
    /// Begins it, and shows the user's account page.
    func actAs(_ account: UUID, because reason: Reason, _ visit: ConsoleVisit) async throws -> Response {
        let cookie = try await impersonation.begin(for: account, because: reason, by: visit.actor)
        var response = Response.seeOther("/account")
        let own = visit.call.cookies[CookieName.session] ?? ""
        for (name, value) in [(CookieName.session, cookie), (CookieName.operatorSession, own)] {
            let set = SetCookie(name: name, value: value, sameSite: .lax, life: Impersonation.seconds)
            response.headers.append(set.field)
        }
        return response
    }

    /// `POST /admin/end-impersonation`: ends the session for the user, and goes back to the operator's own one.
    @Sendable func endImpersonation(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await web.answer("end_impersonation", request, context) { call in
            _ = try await web.form(request, call)
            let session = try await web.session(&call, isHarmless: true)
            // Only a cookie that this service issued may become the session.
            let own = call.cookies[CookieName.operatorSession].flatMap(web.sessionCookies.parse)
            call.setCookies.append(.removed(CookieName.operatorSession))
            guard session?.facts.actor != nil || session == nil else { return .seeOther("/account") }
            if let session { try await web.end(session, &call) }
            if let own {
                // Until the browser closes: the session itself knows its end.
                call.setCookies.removeAll { $0.name == CookieName.session }
                let value = web.sessionCookies.text(own)
                call.setCookies.append(SetCookie(name: CookieName.session, value: value, sameSite: .lax, life: nil))
            }
            return .seeOther(session.map { ConsoleAddress.ofAccount($0.account.id.text) } ?? "/admin")
        }
    }
}
