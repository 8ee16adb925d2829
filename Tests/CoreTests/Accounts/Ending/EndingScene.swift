import Foundation
import Postgres
import Testing

@testable import Sessions
@testable import SignIn

/// One account with everything that a change can end.
///
/// An identity opened two of its three sessions: the asking one, and one more.
struct EndingScene: Sendable {
    static let address = "ann@example.com"
    static let newPassword = "blue lantern above the quay 7"

    let core: TestCore
    let asking: SessionSnapshot
    let other: UUID
    let sibling: UUID
    let identity: UUID

    var account: UUID { asking.facts.account }
    var people: People { People(database: core.database) }

    init(_ core: TestCore) async throws {
        self.core = core
        asking = try await core.session(try await core.signUp(Self.address))
        other = try await core.signIn(Self.address).sessionID
        sibling = try await core.signIn(Self.address).sessionID
        identity = UUID()
        try await core.change(
            """
            insert into identities (id, account_id, provider, realm, subject, linked_by)
            values (\(identity), \(account), 'apple', 'TEAM', 'ann', 'no_match')
            """)
        try await core.change(
            "update sessions set identity_id = \(identity) where id in (\(asking.facts.session), \(sibling))")
    }

    /// Adds the flows, the devices and the recovery codes; returns the hash of the password.
    ///
    /// It runs after the preparation of a change, which itself may end some of them.
    func plant() async throws -> String {
        try await core.change(
            """
            insert into flows (id, kind, client_id, account_id, identity_id, state, expires_at)
            select gen_random_uuid(), kind, 'app', \(account), identity, '{"planted": true}', now() + interval '1 hour'
              from (values ('sign_in', null), ('address', null), ('sign_in', \(identity))) f (kind, identity)
            """)
        try await core.change(
            """
            insert into known_devices (account_id, digest, expires_at)
            values (\(account), 'planted', now() + interval '1 day')
            """)
        try await core.change(
            """
            insert into remembered_devices (id, account_id, digest, name, expires_at)
            values (gen_random_uuid(), \(account), 'planted', 'Laptop', now() + interval '1 day')
            """)
        try await core.change("insert into recovery_codes (account_id, digest) values (\(account), 'planted')")
        return try #require(try await people.texts("select hash from passwords where account_id = \(account)").first)
    }

    /// The parts of the scene that still exist.
    ///
    /// - Parameter hash: of the former password.
    func survivors(_ hash: String) async throws -> Set<Survivor> {
        let names = try await people.texts(
            """
            select case id when \(asking.facts.session) then 'asking' when \(other) then 'other' else 'sibling' end
              from sessions where ended_at is null and id in (\(asking.facts.session), \(other), \(sibling))
            union all
            select case when identity_id is not null then 'identityFlow' when kind = 'address' then 'addressFlow' else 'flow' end
              from flows where account_id = \(account) and state ? 'planted'
            union all select 'knownDevice' from known_devices where account_id = \(account) and digest = 'planted'
            union all select 'rememberedDevice' from remembered_devices where account_id = \(account) and digest = 'planted'
            union all select 'recoveryCode' from recovery_codes where account_id = \(account) and digest = 'planted'
            union all
            select 'password' from passwords w join accounts a on a.id = w.account_id
             where a.id = \(account) and w.hash = \(hash) and a.password_state <> 'reset_required'
            """)
        return Set(try names.map { try #require(Survivor(rawValue: $0)) })
    }
}

/// A thing of the scene that a change may end.
enum Survivor: String, CaseIterable {
    case asking, other, sibling
    case flow, addressFlow, identityFlow
    case knownDevice, rememberedDevice, recoveryCode, password
}

extension Ending {
    /// The parts of the scene that survive by the table.
    var survivors: Set<Survivor> {
        var left = Set(Survivor.allCases).subtracting(sessions.ended).subtracting(flows.ended)
        if knownDevices { left.remove(.knownDevice) }
        if rememberedDevices { left.remove(.rememberedDevice) }
        if recoveryCodes { left.remove(.recoveryCode) }
        if password { left.remove(.password) }
        return left
    }
}

extension Ending.Sessions {
    fileprivate var ended: Set<Survivor> {
        switch self {
        case .none: []
        case .ofMethod: [.asking, .sibling]
        case .othersOfMethod: [.sibling]
        case .others: [.other, .sibling]
        case .all: [.asking, .other, .sibling]
        }
    }
}

extension Ending.Flows {
    fileprivate var ended: Set<Survivor> {
        switch self {
        case .none: []
        case .addressChanges: [.addressFlow]
        case .ofMethod: [.identityFlow]
        case .all: [.flow, .addressFlow, .identityFlow]
        }
    }
}
