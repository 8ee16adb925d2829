import Clients
import HTTPServer
package import Hummingbird
package import Pages
package import Sessions
package import SignIn
package import Vocabulary

/// The step-up of a session, and the tickets of our own links.
extension HostedPages {
    /// Asks the signed-in user for a second factor, then continues.
    package func raise(_ session: SessionSnapshot, to asked: LoginTarget.Asked, _ call: inout WebCall)
        async throws(Rejection) -> Response
    {
        let entry = try ownEntry(session, asked, call)
        call.setEntry(entry)
        let outcome = try await flows.stepUp(
            session, device: device(call), handing: entry.target.handing, caller: call.caller)
        return try await handle(outcome, entry, &call)
    }

    /// An entry that leads to one of our own pages after a sign-in.
    private func ownEntry(_ session: SessionSnapshot, _ asked: LoginTarget.Asked, _ call: WebCall) throws(Rejection)
        -> WebEntry
    {
        guard let client = clients.client(session.facts.clientID) else { throw .clientUnknown() }
        return WebEntry(
            client: client, target: try LoginTarget(asked, client: client, ownOrigin: ownOrigin),
            locales: call.locales)
    }

    /// The entry and ticket of one of our own pages.
    func ticketed(_ text: String, _ call: inout WebCall) throws(Rejection) -> (WebEntry, WebTickets.Ticket) {
        guard let ticket = tickets.open(text, for: call.cookies[CookieName.form], at: directory.now) else {
            throw .flowExpired
        }
        guard let client = clients.client(ticket.client) else { throw .clientUnknown() }
        let target = try LoginTarget(ticket.target, client: client, ownOrigin: ownOrigin)
        let entry = WebEntry(client: client, target: target, locales: ticket.locales)
        call.setEntry(entry)
        return (entry, ticket)
    }
}
