import Accounts
import Foundation
import Hummingbird
import JSON
import Sessions

/// The account page, which every account door shows again after a refusal.
struct AccountPages: HostedPages {
    let site: Site
    let accounts: AccountService
    let factors: FactorService
    let addresses: AddressService
    let activity: ActivityService
    let merging: MergeService

    func accountPage(
        _ session: SessionSnapshot, _ call: WebCall, done: String? = nil, problem: PageProblem? = nil
    ) async throws(Rejection) -> AccountPage {
        let facts = session.facts
        let identities = try await accounts.identities(of: facts.account)
        let devices = try await sessions.list(account: facts.account)
        let account = session.account
        return AccountPage(
            name: account.displayName, email: account.email, accountID: account.id.text,
            hasPassword: try await accounts.hasPassword(facts.account),
            identities: identities.map { identity in
                .init(
                    id: identity.id.text, provider: identity.provider,
                    providerName: providerName(identity.provider), email: identity.email,
                    linkedAt: RFC3339.text(identity.linkedAt), isAutomatic: identity.isLinkedByPolicy)
            },
            linkable: linkable(session, call, identities), addresses: try await addressList(session),
            security: try await security(session),
            devices: devices.map { device($0, isCurrent: $0.id == facts.session) },
            merges: try await merges(session), privacy: try await privacy(session),
            hidden: hidden(call, Self.locales(call)), done: done, problem: problem)
    }

    /// Links for adding an identity of each remaining provider; they work only in this browser.
    private func linkable(
        _ session: SessionSnapshot, _ call: WebCall, _ identities: [LinkedIdentity]
    ) -> [ProviderButton] {
        guard let client = clients.client(session.facts.clientID) else { return [] }
        let ticket = tickets.seal(
            .init(
                client: client.id, target: .init(), intent: .link(session: session.facts.session),
                locales: call.locales), for: call.browser, at: directory.now)
        return web.choices(for: client).filter { choice in !identities.contains { $0.provider == choice.id } }
            .map { ProviderButton(id: $0.id, name: $0.name, address: "/login/\($0.id)?ticket=\(ticket)") }
    }

    private func device(_ session: DeviceSession, isCurrent: Bool) -> AccountPage.Device {
        let clientName = clients.client(session.clientID)?.name ?? session.clientID
        return .init(
            id: session.id.text, name: session.deviceName ?? session.userAgent.map(UserAgent.name) ?? clientName,
            clientName: clientName, address: session.address,
            lastUsedAt: RFC3339.text(session.lastUsedAt), isCurrent: isCurrent)
    }
}
