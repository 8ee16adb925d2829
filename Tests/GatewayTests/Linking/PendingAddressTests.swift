import Foundation
import JSON
import Postgres
import Testing

/// A change of an address before its code is confirmed (L-04).
@Suite("A pending address", .gateway())
struct PendingAddressTests {
    enum Event: String, CaseIterable, Sendable {
        case link, unlink, password, anotherAddress, provedAddress, time
    }

    @Test(
        "L-04: a pending address dies with every other change of how the account is opened", arguments: Event.allCases)
    func dies(event: Event) async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.signUp(Fresh.email())
        let identity = try await linked(person)
        let victim = Fresh.email()
        let (flow, code) = try await begun(victim, by: person)
        try await happen(event, to: person, identity, flow)
        let answer = try await confirm(flow, code, by: person)
        try await gateway.expectRefusal(answer, 400, "flow_expired", action: "confirm_address")
        let kept = try await gateway.count(
            "select count(*) from account_emails where account_id = \(person.account)::uuid and address = \(victim)")
        #expect(kept == 0)
    }

    @Test("L-04: without such a change the same code adds the address, once")
    func lives() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.signUp(Fresh.email())
        _ = try await linked(person)
        let (flow, code) = try await begun(Fresh.email(), by: person)
        #expect(try await confirm(flow, code, by: person).status < 300)
        #expect(try await confirm(flow, code, by: person).code == "flow_expired")
    }

    private func linked(_ person: SignedInAnswer) async throws -> String {
        let gateway = try GatewayProcess.current
        let answer = try await gateway.link(try await gateway.simulator.mint("google"), bearer: person.accessToken)
        try #require(answer.status == 201, "\(answer.text)")
        let listed = try await gateway.get("/v1/account/identities", bearer: person.accessToken)
        return try #require(listed.json["identities"]?.array?.first?["id"]?.string)
    }

    private func begun(_ address: String, by person: SignedInAnswer) async throws -> (flow: String, code: String) {
        let gateway = try GatewayProcess.current
        let asked = try PendingAnswer(
            try await gateway.post(
                "/v1/account/addresses", ["address": .string(address)], bearer: person.accessToken))
        return (asked.flow, try await gateway.mailedCode(to: address))
    }

    private func confirm(_ flow: String, _ code: String, by person: SignedInAnswer) async throws -> TestAnswer {
        try await GatewayProcess.current.post(
            "/v1/account/addresses/confirm", ["flow": .string(flow), "response": ["code": .string(code)]],
            bearer: person.accessToken)
    }

    private func happen(
        _ event: Event, to person: SignedInAnswer, _ identity: String, _ flow: String
    ) async throws {
        let gateway = try GatewayProcess.current
        switch event {
        case .link:
            let minted = try await gateway.simulator.mint("apple")
            #expect(try await gateway.link(minted, bearer: person.accessToken).status == 201)
        case .unlink:
            let path = "/v1/account/identities/\(identity)"
            #expect(try await gateway.delete(path, bearer: person.accessToken).status == 204)
        case .password:
            let change: JSON = [
                "current_password": .string(GatewayProcess.password), "new_password": "another heron over the weir",
            ]
            let answer = try await gateway.post("/v1/password/change", change, bearer: person.accessToken)
            #expect(answer.status == 204, "\(answer.text)")
        case .anotherAddress:
            _ = try await begun(Fresh.email(), by: person)
        case .provedAddress:
            let proof = try await begun(Fresh.email(), by: person)
            #expect(try await confirm(proof.flow, proof.code, by: person).status < 300)
        case .time:
            #expect(
                try await gateway.count(
                    """
                    select count(*) from flows where account_id = \(person.account)::uuid and kind = 'address'
                       and expires_at between now() + interval '9 minutes' and now() + interval '10 minutes'
                    """) == 1)
            try await gateway.change(
                "update flows set expires_at = now() where account_id = \(person.account)::uuid and kind = 'address'")
        }
    }
}
