import Foundation
import JSON
import Postgres
import Testing

/// A session that ends while its own request waits for the account: the request changes nothing.
@Suite("Sessions ended during a change", .gateway())
struct EndedMeanwhileTests {
    enum Change: String, CaseIterable, Sendable {
        case profile, factor, device, identity

        var action: String {
            switch self {
            case .profile: "change_account"
            case .factor: "change_factor"
            case .device: "forget_device"
            case .identity: "unlink_identity"
            }
        }
    }

    /// A user with two identities, a factor and a device.
    private func owner(_ gateway: GatewayProcess, factor: UUID, device: UUID) async throws -> SignedInAnswer {
        let owner = try await gateway.session("apple", ["email": .string(Fresh.email())])
        let linked = try await gateway.link(try await gateway.simulator.mint("google"), bearer: owner.accessToken)
        try #require(linked.status == 201, "\(linked.text)")
        try await gateway.change(
            """
            insert into factors (id, account_id, kind, name, address, address_key)
            values (\(factor), \(owner.account)::uuid, 'email', 'old', 'a@example.com', 'a@example.com')
            """)
        try await gateway.change(
            """
            insert into remembered_devices (id, account_id, digest, expires_at)
            values (\(device), \(owner.account)::uuid, '\\x01', now() + interval '1 day')
            """)
        return owner
    }

    @Test("S-08: a session that another one ended meanwhile changes nothing", arguments: Change.allCases)
    func changesNothing(change: Change) async throws {
        let gateway = try GatewayProcess.current
        let (factor, device) = (UUID(), UUID())
        let owner = try await owner(gateway, factor: factor, device: device)
        // Like a change of the main address, which locks the account first and ends sessions alone.
        let answer = try await gateway.racing(
            "select 1 from accounts where id = \(owner.account)::uuid for update",
            then: "select end_account_sessions(\(owner.account)::uuid, 'address_changed', null)"
        ) {
            switch change {
            case .profile:
                try await gateway.patch("/v1/account", ["display_name": "Mallory"], bearer: owner.accessToken)
            case .factor:
                try await gateway.patch(
                    "/v1/account/factors/\(factor.uuidString.lowercased())", ["name": "new"], bearer: owner.accessToken)
            case .device:
                try await gateway.delete(
                    "/v1/account/devices/\(device.uuidString.lowercased())", bearer: owner.accessToken)
            case .identity:
                try await gateway.delete("/v1/account/identities/\(owner.identity)", bearer: owner.accessToken)
            }
        }
        try await gateway.expectRefusal(answer, 401, "session_ended", action: change.action)
        let left = try await gateway.count(
            """
            select count(*) from accounts a join factors f on f.account_id = a.id and f.name = 'old'
              join remembered_devices d on d.account_id = a.id join identities i on i.account_id = a.id
             where a.id = \(owner.account)::uuid and a.display_name is distinct from 'Mallory'
            """)
        #expect(left == 2)
        let done = try await gateway.count(
            """
            select count(*) from audit_events where account_id = \(owner.account)::uuid and outcome = 'done'
               and action in ('profile_changed', 'factor_changed', 'device_forgotten', 'identity_unlinked')
            """)
        #expect(done == 0)
    }

    @Test("a proof of an address and a sign-up that proves it first don't deadlock")
    func addressFirst() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        // Amazon proves no address, so the account only claims it.
        let person = try await gateway.session("amazon", ["email": .string(email)])
        let asked = try PendingAnswer(
            try await gateway.post("/v1/account/addresses", ["address": .string(email)], bearer: person.accessToken))
        let code = try await gateway.mailedCode(to: email)
        // Like a sign-up or a first sign-in, which locks the address and then its claimants.
        let answer = try await gateway.racing(
            "select pg_advisory_xact_lock(hashtextextended(\(email), 2))",
            then: "select 1 from accounts where id = \(person.account)::uuid for update"
        ) {
            try await gateway.post(
                "/v1/account/addresses/confirm",
                ["flow": .string(asked.flow), "response": ["code": .string(code)]], bearer: person.accessToken)
        }
        #expect(answer.status < 300, "\(answer.text)")
        let proved = try await gateway.count(
            "select count(*) from account_emails where address_key = \(email) and proved_at is not null")
        #expect(proved == 1)
    }
}
