import Accounts
import Clients
import Foundation
import JSON
import Pages
import Sessions
import SignIn
import Telemetry
import Vocabulary

/// The profile and the sign-in methods of the account.
extension AccountPages {
    func profile(_ session: SessionSnapshot) async throws(Rejection) -> AccountPage.Profile {
        let addresses = try await addresses.addresses(of: session).map { address in
            AccountPage.Address(
                kind: address.kind == .phone ? .phone : .email, text: address.text, isProved: address.isProved,
                isMain: address.isMain, isRelay: address.isRelay,
                isUndeliverable: address.undeliverableSince != nil)
        }
        return .init(accountID: session.account.id.text, addresses: addresses, canAddPhone: sendsTexts)
    }

    func signInMethods(
        _ session: SessionSnapshot, _ call: WebCall
    ) async throws(Rejection) -> AccountPage.SignInMethods {
        let account = session.facts.account
        let identities = try await accounts.identities(of: account)
        let known = try await factors.factors(of: session)
        return .init(
            passkeys: known.passkeys.map(AccountPage.Factor.init), canAddPasskey: flows.hasPasskeys,
            choosesDefault: known.choosesDefault,
            hasPassword: known.hasPassword, minimumPasswordLength: minimumPasswordLength,
            identities: identities.map { identity in
                .init(
                    id: identity.id.text, provider: identity.provider,
                    providerName: providerName(identity.provider), email: identity.email,
                    linkedAt: RFC3339.text(identity.linkedAt), isAutomatic: identity.isLinkedByPolicy)
            }, linkable: linkable(session, call, identities), merges: try await merges(session))
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

    private func merges(_ session: SessionSnapshot) async throws(Rejection) -> [AccountPage.Merge] {
        try await merging.merges(of: session).map { merge in
            .init(id: merge.id.text, madeAt: RFC3339.text(merge.madeAt), until: RFC3339.text(merge.undoUntil))
        }
    }
}
