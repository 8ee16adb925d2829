import Foundation

@testable import GatewayClient

extension ReferenceSamples {
    // MARK: Profile

    static func account(_ session: Session) async throws {
        let profile = try await session.profile()
        print(profile.displayName ?? profile.id)
    }

    static func changeAccount(_ session: Session) async throws {
        let profile = try await session.changeProfile(displayName: .set("Ann Example"))
        print(profile.displayName ?? profile.id)
    }

    static func changePassword(_ session: Session) async throws {
        try await session.changePassword(from: "correct horse battery", to: "grey heron over the weir")
    }

    // MARK: Export and deletion

    static func exportAccount(_ session: Session) async throws {
        let json = try await session.exportData()
        print(json.count, "bytes")
    }

    static func deleteAccount(_ session: Session) async throws {
        let deletion = try await session.deleteAccount()
        print("deleted on:", deletion?.dueAt ?? Date())
    }

    static func cancelDeletion(_ session: Session) async throws {
        try await session.cancelDeletion()
    }

    // MARK: Identities and addresses

    static func identities(_ session: Session) async throws {
        for identity in try await session.identities() { print(identity.provider, identity.email ?? "") }
    }

    static func linkIdentity(_ session: Session, _ idToken: String) async throws {
        let identity = try await session.link(.provider("google", idToken: idToken))
        print("linked:", identity.id)
    }

    static func unlinkIdentity(_ session: Session, _ identity: Identity) async throws {
        try await session.unlink(identity)
    }

    static func addresses(_ session: Session) async throws {
        for address in try await session.addresses() { print(address.address, address.isVerified) }
    }

    static func addAddress(_ session: Session) async throws {
        let enrolment = try await session.addAddress("ann@example.net")
        print("a code was sent to:", enrolment.delivery?.destination ?? "")
    }

    static func confirmAddress(_ enrolment: AddressEnrolment) async throws {
        let addresses = try await enrolment.confirm(code: "197734")
        print(addresses.count)
    }

    static func preferAddress(_ session: Session, _ address: AccountAddress) async throws {
        let addresses = try await session.makeMain(address)
        print(addresses.count)
    }

    static func removeAddress(_ session: Session, _ address: AccountAddress) async throws {
        try await session.remove(address)
    }

    // MARK: Factors

    static func factors(_ session: Session) async throws {
        let factors = try await session.factors()
        print(factors.factors.count, "factors,", factors.recoveryCodesLeft, "recovery codes")
    }

    static func addFactor(_ session: Session) async throws {
        let enrolment = try await session.addFactor(.authenticatorApp)
        if case .authenticator(_, let uri) = enrolment.question { print("show as a QR code:", uri) }
    }

    static func confirmFactor(_ enrolment: FactorEnrolment) async throws {
        let added = try await enrolment.confirm(code: "197734", name: "Phone")
        print("save these codes:", added.recoveryCodes ?? [])
    }

    static func changeFactor(_ session: Session, _ factor: Factor) async throws {
        let factors = try await session.change(factor, name: .set("Phone"), preferred: true)
        print(factors.factors.count)
    }

    static func removeFactor(_ session: Session, _ factor: Factor) async throws {
        try await session.remove(factor)
    }

    static func keepFactors(_ session: Session) async throws {
        try await session.keepFactors()
    }

    // MARK: Devices, sessions and events

    static func rememberedDevices(_ session: Session) async throws {
        for device in try await session.devices() { print(device.name ?? device.id, device.expiresAt) }
    }

    static func forgetDevice(_ session: Session, _ device: RememberedDevice) async throws {
        try await session.forget(device)
    }

    static func sessions(_ session: Session) async throws {
        for open in try await session.sessions() { print(open.deviceName ?? open.id, open.isCurrent) }
    }

    static func endSession(_ session: Session, _ open: OpenSession) async throws {
        try await session.end(open)
    }

    static func accountEvents(_ session: Session) async throws {
        let page = try await session.events(limit: 50)
        for event in page.events { print(event.at, event.kind) }
    }

    // MARK: Merging

    static func mergeTicket(_ session: Session, _ other: Session) async throws {
        let ticket = try await session.mergeTicket(for: other)
        print(ticket)
    }

    static func previewOwnMerge(_ session: Session, _ ticket: MergeTicket) async throws {
        let preview = try await session.previewMerge(ticket)
        print(preview.moves.identities.count, "identities would move")
    }

    static func mergeOwnAccounts(_ session: Session, _ ticket: MergeTicket, _ preview: MergePreview) async throws {
        let merge = try await session.merge(ticket, as: preview)
        print("can be undone until:", merge.undoUntil)
    }

    static func merges(_ session: Session) async throws {
        for merge in try await session.merges() { print(merge.absorbedAccountID, merge.undoUntil) }
    }

    static func undoOwnMerge(_ session: Session, _ merge: Merge) async throws {
        try await session.undo(merge)
    }
}
