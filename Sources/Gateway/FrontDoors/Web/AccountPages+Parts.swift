import Accounts
import Foundation
import JSON
import Sessions

/// The parts of the account page.
extension AccountPages {
    /// The number of history entries on the account page; the API has the rest.
    private static let shownEvents = 10

    func security(_ session: SessionSnapshot) async throws(Rejection) -> AccountPage.Security {
        let known = try await factors.factors(of: session)
        let removalDue = try await factors.removalDue(of: session)
        let remembered = known.isProtected ? try await factors.rememberedDevices(of: session) : []
        return AccountPage.Security(
            factors: known.factors.map(AccountPage.Factor.init) + known.passkeys.map(AccountPage.Factor.init),
            canAddPasskey: flows.hasPasskeys, canAddPhone: sendsTexts,
            recoveryCodesLeft: known.isProtected ? "\(known.recoveryCodes)" : nil,
            minimumPasswordLength: minimumPasswordLength,
            remembered: remembered.map { device in
                .init(id: device.id.text, name: device.name, expiresAt: RFC3339.text(device.expiresAt))
            }, removalDue: removalDue.map { RFC3339.text($0) })
    }

    func addressList(_ session: SessionSnapshot) async throws(Rejection) -> [AccountPage.Address] {
        try await addresses.addresses(of: session).map { address in
            AccountPage.Address(
                kind: address.kind == .phone ? .phone : .email, text: address.text, isProved: address.isProved,
                isMain: address.isMain, isRelay: address.isRelay,
                isUndeliverable: address.undeliverableSince != nil)
        }
    }

    func merges(_ session: SessionSnapshot) async throws(Rejection) -> [AccountPage.Merge] {
        try await merging.merges(of: session).map { merge in
            .init(id: merge.id.text, madeAt: RFC3339.text(merge.madeAt), until: RFC3339.text(merge.undoUntil))
        }
    }

    func privacy(_ session: SessionSnapshot) async throws(Rejection) -> AccountPage.Privacy {
        let page = try await activity.events(of: session, limit: Self.shownEvents)
        return AccountPage.Privacy(
            events: page.events.map(event), deletionDue: session.account.deletion.map { RFC3339.text($0.dueAt) })
    }

    private func event(_ event: AccountEvent) -> AccountPage.Event {
        let device = event.deviceName ?? event.userAgent.map(UserAgent.name)
        let place = [device, event.address].compactMap(\.self).joined(separator: " · ")
        return AccountPage.Event(
            what: event.kind.rawValue, author: event.author == .person ? nil : event.author.rawValue,
            choice: [.factorAdded, .factorRemoved].contains(event.kind) ? event.subject : nil, means: means(event),
            place: place.isEmpty ? nil : place, at: RFC3339.text(event.at))
    }

    /// The provider of an event, if that provider has a display name.
    private func means(_ event: AccountEvent) -> String? {
        guard let provider = event.provider, flows.takesToken(of: provider) else { return nil }
        return providerName(provider)
    }
}

extension AccountPage.Factor {
    fileprivate init(_ factor: AccountFactors.Factor) {
        self.init(
            id: factor.id.text, kind: factor.kind.rawValue, detail: factor.name ?? factor.address,
            addedAt: RFC3339.text(factor.addedAt), isPreferred: factor.isPreferred)
    }

    fileprivate init(_ passkey: AccountFactors.Passkey) {
        self.init(
            id: passkey.id.text, kind: ChoiceKind.passkey.rawValue, detail: passkey.name,
            addedAt: RFC3339.text(passkey.addedAt), isPreferred: passkey.isPreferred)
    }
}
