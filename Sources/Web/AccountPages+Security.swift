import Accounts
import Authorization
import Clients
import Foundation
import JSON
import Pages
import Sessions
import SignIn
import Telemetry
import Vocabulary

/// The second factors, the devices and the history of the account.
extension AccountPages {
    /// The number of events on one page of the history.
    private static let shownEvents = 20

    func twoStep(_ session: SessionSnapshot) async throws(Rejection) -> AccountPage.TwoStep {
        let known = try await factors.factors(of: session)
        return .init(
            factors: known.factors.map(AccountPage.Factor.init), choosesDefault: known.choosesDefault,
            canAddPhone: sendsTexts,
            recoveryCodesLeft: known.isProtected ? "\(known.recoveryCodes)" : nil)
    }

    func devices(_ session: SessionSnapshot) async throws(Rejection) -> AccountPage.Devices {
        let current = session.facts.session
        let list = try await sessions.list(account: session.facts.account)
        let remembered = try await factors.rememberedDevices(of: session)
        let apps = try await grants.list(account: session.facts.account)
        return .init(
            sessions: (list.filter { $0.id == current } + list.filter { $0.id != current })
                .map { device($0, isCurrent: $0.id == current) },
            remembered: remembered.map { device in
                .init(id: device.id.text, name: device.name, expiresAt: RFC3339.text(device.expiresAt))
            },
            apps: apps.map { grant in
                .init(
                    id: grant.client, name: clients.client(grant.client)?.name ?? grant.client,
                    grantedAt: RFC3339.text(grant.grantedAt), lastUsedAt: grant.lastUsedAt.map { RFC3339.text($0) })
            })
    }

    private func device(_ session: DeviceSession, isCurrent: Bool) -> AccountPage.Device {
        let clientName = clients.client(session.clientID)?.name ?? session.clientID
        return .init(
            id: session.id.text, name: session.deviceName ?? session.userAgent.map(UserAgent.name) ?? clientName,
            clientName: clientName, address: session.address, method: session.provider,
            methodName: providerName(session.provider), dialect: session.dialect,
            signedInAt: RFC3339.text(session.createdAt), lastUsedAt: RFC3339.text(session.lastUsedAt),
            isCurrent: isCurrent)
    }

    func activity(
        _ session: SessionSnapshot, _ call: WebCall, _ cursor: String?
    ) async throws(Rejection) -> AccountPage.Activity {
        let page = try await activity.events(of: session, cursor: cursor, limit: Self.shownEvents)
        return .init(
            events: page.events.map(event),
            olderAddress: page.cursor.map { cursor in
                AccountSection.activity.address.addingQuery(
                    [("cursor", cursor)] + Self.localesParameter(call.locales))
            })
    }

    private func event(_ event: AccountEvent) -> AccountPage.Event {
        let device = event.deviceName ?? event.userAgent.map(UserAgent.name)
        let place = [device, event.address].compactMap(\.self).joined(separator: " · ")
        let passkey = event.subject == ChoiceKind.passkey.rawValue ? AccountPage.Event.ofPasskey[event.kind] : nil
        let isOfFactor = passkey == nil && [.factorAdded, .factorRemoved].contains(event.kind)
        return AccountPage.Event(
            what: passkey ?? event.kind.rawValue, author: event.author == .person ? nil : event.author.rawValue,
            choices: isOfFactor ? [event.subject].compactMap(\.self) : methods(event), means: means(event),
            place: place.isEmpty ? nil : place, at: RFC3339.text(event.at))
    }

    /// What proved the user at a sign-in, other than a provider; once the session is deleted, its first factor.
    private func methods(_ event: AccountEvent) -> [String] {
        guard event.kind == .signedIn else { return [] }
        let proved = event.proofs.compactMap(ChoiceKind.init).map(\.rawValue)
        let first = event.provider.flatMap(ChoiceKind.init(rawValue:))?.rawValue
        return event.proofs.isEmpty ? [first].compactMap(\.self) : proved
    }

    /// The provider of an event, if that provider has a display name.
    private func means(_ event: AccountEvent) -> String? {
        guard let provider = event.provider, flows.takesToken(of: provider) else { return nil }
        return providerName(provider)
    }
}

extension AccountFactors {
    /// Whether one of several second factors is the default; passkeys alone turn on no two-step verification.
    var choosesDefault: Bool { !factors.isEmpty && factors.count + passkeys.count > 1 }
}

extension AccountPage.Factor {
    init(_ factor: AccountFactors.Factor) {
        self.init(
            id: factor.id.text, kind: factor.kind.rawValue, detail: factor.name ?? factor.address,
            addedAt: RFC3339.text(factor.addedAt), isPreferred: factor.isPreferred)
    }

    init(_ passkey: AccountFactors.Passkey) {
        self.init(
            id: passkey.id.text, kind: ChoiceKind.passkey.rawValue, detail: passkey.name,
            addedAt: RFC3339.text(passkey.addedAt), isPreferred: passkey.isPreferred)
    }
}

extension ChoiceKind {
    /// Nil for a provider, which has a name of its own.
    fileprivate init?(_ proof: Proof.Kind) {
        switch proof {
        case .password: self = .password
        case .provider: return nil
        case .emailCode: self = .emailCode
        case .smsCode: self = .smsCode
        case .totp: self = .totp
        case .passkey, .verifiedPasskey: self = .passkey
        case .recoveryCode: self = .recoveryCode
        case .custom: self = .challenge
        }
    }
}
