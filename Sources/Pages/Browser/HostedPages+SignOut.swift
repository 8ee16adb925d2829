package import Clients
package import HTTPServer
package import Hummingbird
package import Sessions

/// Ending the session of this browser.
extension HostedPages {
    /// Ends the session for apps that sign out together, such as those of a pool.
    ///
    /// The session of another app, such as an operator's, ends only after a click.
    ///
    /// - Parameters:
    ///   - client: the app that asks.
    ///   - back: its address, to which a click leads.
    ///   - response: the answer once no session of these apps is left.
    package func signOut(
        _ client: Client, among apps: [Client], back: String?, then response: Response, _ call: inout WebCall
    ) async throws -> Response {
        guard let session = try await session(&call, isHarmless: true) else {
            call.forgetSession()
            return response
        }
        guard apps.contains(where: { $0.id == session.facts.clientID }) else {
            return askFirst(session, client, back, &call)
        }
        try await end(session, &call)
        return response
    }

    /// The page whose button ends the session of another app.
    private func askFirst(
        _ session: SessionSnapshot, _ client: Client, _ destination: String?, _ call: inout WebCall
    ) -> Response {
        call.formTargets = { destination.flatMap { RedirectURI($0) }.map(client.formTargets(endingAt:)) ?? [] }
        return askToSignOut(session, [("client_id", client.id), ("logout_uri", destination ?? "")], call)
    }

    /// The page whose button ends the session of this browser.
    package func askToSignOut(
        _ session: SessionSnapshot, _ parameters: [(String, String)] = [], _ call: WebCall
    ) -> Response {
        let fields = [("scope", "local")] + parameters
        return show(
            SignOutPage(
                clientName: clientName(session),
                hidden: hidden(call, fields.map { HiddenField(name: $0.0, value: $0.1) })), call)
    }

    /// The page after a sign-out that leads nowhere else.
    package func signedOut(_ call: WebCall) -> Response {
        show(NoticePage(code: NoticeCode.signedOut.rawValue, arguments: [:], requestID: nil, actions: []), call)
    }

    package func end(_ session: SessionSnapshot, _ call: inout WebCall) async throws {
        let facts = session.facts
        try await sessions.end(
            facts.session, of: facts.account, reason: "signed_out", client: facts.clientID, caller: call.caller)
        call.forgetSession()
    }

    /// The address of an app that a form of ours names after a sign-out; nil unless the app registered it.
    package func signOutTarget(_ form: FormBody) -> String? {
        guard let client = form["client_id"].flatMap(clients.client), let asked = form["logout_uri"],
            client.registered(asked) != nil
        else { return nil }
        return asked
    }
}

extension WebCall {
    /// The browser keeps no session after the answer.
    package mutating func forgetSession() {
        setCookies.removeAll { $0.name == CookieName.session }
        setCookies.append(.removed(CookieName.session))
    }
}
