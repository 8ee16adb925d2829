import Foundation
import JSON
import Postgres
import Testing

/// Accounts cannot be enumerated through a provider that proves no address.
///
/// Here a network has six such claims, and one more in ten minutes.
@Suite(
    "Claims beyond the budget", .serialized,
    .gateway(["THROTTLE_LINK_ADDRESS_PER_HOUR": "6", "COGNITO_TRUST_EMAIL": "false"]))
struct ClaimBudgetTests {
    /// The visible content of the answer to a claim, without unique parts.
    private func shown(_ answer: TestAnswer) -> [String] {
        guard answer.json["next_step"] == nil else { return [answer.json["next_step"]?["type"]?.string ?? ""] }
        let account = answer.json["account"]
        return [
            "\(answer.status)", answer.json["status"]?.string ?? "", account?["email"]?.string ?? "no address",
            "\(account?["email_verified"]?.bool ?? true)", "\(answer.json["new_account"]?.bool ?? false)",
        ]
    }

    @Test("N1: a network that probes many addresses soon gets the same answer with and without an account")
    func network() async throws {
        let gateway = try GatewayProcess.current
        try await gateway.anHourLater()
        var people: [String] = []
        for _ in 0..<4 { people.append(try #require(try await gateway.session("apple").email)) }
        // Unused addresses are charged like used ones; otherwise each answer would reveal the difference.
        for index in 0..<6 {
            let isPerson = index.isMultiple(of: 2)
            let probed = isPerson ? people[index / 2] : Fresh.email()
            let answer = try await gateway.signIn("amazon", ["email": .string(probed)])
            #expect(shown(answer).contains("link_account") == isPerson, "\(answer.text)")
        }
        for _ in 0..<4 {
            let somebody = try await gateway.signIn("amazon", ["email": .string(people[3])])
            let nobody = try await gateway.signIn("amazon", ["email": .string(Fresh.email())])
            #expect(shown(somebody) == ["200", "signed_in", "no address", "false", "true"], "\(somebody.text)")
            #expect(shown(somebody) == shown(nobody))
        }
        // A user with a proved address, or with a provider that proves it, is not charged and does not wait.
        #expect(try await gateway.session("apple").isNewAccount)
        let holder = try await gateway.session("google", ["email": .string(people[3])])
        #expect(!holder.isNewAccount)
        try await gateway.anHourLater()
        let later = try await gateway.signIn("amazon", ["email": .string(people[3])])
        #expect(shown(later) == ["link_account"])
    }

    @Test("N1: one address can be queried five times, over all networks and spellings")
    func address() async throws {
        let gateway = try GatewayProcess.current
        try await gateway.anHourLater()
        let email = try #require(try await gateway.session("apple").email)
        for spelling in [email, email.uppercased(), email, email, email] {
            let answer = try await gateway.signIn("amazon", ["email": .string(spelling)])
            #expect(shown(answer) == ["link_account"], "\(answer.text)")
        }
        let sixth = try await gateway.signIn("amazon", ["email": .string(email)])
        #expect(shown(sixth) == ["200", "signed_in", "no address", "false", "true"], "\(sixth.text)")
        // The network has one claim left.
        let other = try #require(try await gateway.session("apple").email)
        #expect(shown(try await gateway.signIn("amazon", ["email": .string(other)])) == ["link_account"])
    }

    @Test("N1: browsers, tokens and the steps of a provider share the budget of an address")
    func doors() async throws {
        let gateway = try GatewayProcess.current
        try await gateway.anHourLater()
        let email = try #require(try await gateway.session("apple").email)
        func visit() async throws {
            let person: JSONObject = ["subject": .string(Fresh.subject("amazon")), "email": .string(email)]
            _ = try await PageBrowser.open(gateway, "/login").signIn("amazon", as: person)
        }
        func step() async throws -> TestAnswer {
            let name = Fresh.email()
            let password = JSON.string(SimulatedPool.password)
            _ = try await SimulatedPool.control(
                gateway.simulator, "users", ["username": .string(name), "password": password, "email": .string(email)])
            return try await gateway.signIn("cognito", credential: ["username": .string(name), "password": password])
        }
        func made(_ reason: String) async throws -> Int {
            try await gateway.count(
                "select count(*) from audit_events where reason = \(reason) and provider in ('amazon', 'cognito')")
        }
        let (asked, over) = (try await made("unproved_may_join"), try await made("over_budget"))
        for _ in 0..<2 {
            try await visit()
            #expect(shown(try await step()) == ["link_account"])
        }
        #expect(shown(try await gateway.signIn("amazon", ["email": .string(email)])) == ["link_account"])
        #expect(try await made("unproved_may_join") == asked + 5)
        try await visit()
        #expect(shown(try await step()) == ["200", "signed_in", "no address", "false", "true"])
        #expect(try await made("unproved_may_join") == asked + 5)
        #expect(try await made("over_budget") == over + 2)
    }

    @Test("N1: each repetition of a first sign-in is charged once, and a known identity never")
    func known() async throws {
        let gateway = try GatewayProcess.current
        try await gateway.anHourLater()
        let person: JSONObject = ["subject": .string(Fresh.subject("amazon")), "email": .string(Fresh.email())]
        let first = try await gateway.session("amazon", person)
        for _ in 0..<10 { #expect(try await gateway.session("amazon", person).account == first.account) }
        let email = try #require(try await gateway.session("apple").email)
        #expect(shown(try await gateway.signIn("amazon", ["email": .string(email)])) == ["link_account"])
    }
}
