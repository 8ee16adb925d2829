import Hummingbird
import Sessions

/// The second factor of a session that lacks it, and the tickets of our own links.
extension HostedPages {
    /// Asks for the second factor of whoever is signed in, and leads on from there.
    func raise(_ session: SessionSnapshot, to asked: LoginTarget.Asked, _ call: inout WebCall)
        async throws(Rejection) -> Response
    {
        let entry = try ownEntry(session, asked, call)
        call.setEntry(entry)
        let outcome = try await flows.stepUp(
            session, device: device(call), handing: .cookie, caller: call.caller)
        return try await handle(outcome, entry, &call)
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

    /// What one of our own pages was shown with.
    func ticketed(_ text: String, _ call: inout WebCall) throws(Rejection) -> (WebEntry, WebTickets.Ticket) {
        guard let ticket = tickets.open(text, for: call.cookies[CookieName.form], at: directory.now) else {
            throw .flowExpired
        }
        guard let client = clients.client(ticket.client) else { throw .clientUnknown }
        let target = try LoginTarget(ticket.target, client: client, ownOrigin: ownOrigin)
        let entry = WebEntry(client: client, target: target, locales: ticket.locales)
        call.setEntry(entry)
        return (entry, ticket)
    }
}
