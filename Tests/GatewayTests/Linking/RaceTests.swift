import JSON
import Postgres
import Testing

extension LinkingTests {
    @Suite("First sign-ins at once")
    struct RaceTests {
        @Test("twenty tokens of one new person at once make one account", arguments: ["apple", "microsoft"])
        func oneSubject(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let person: JSONObject = ["subject": .string(Fresh.subject(provider)), "email": .string(Fresh.email())]
            let tokens = try await inParallel(0..<20) { _ in try await gateway.simulator.mint(provider, person) }
            let signedIn = try await inParallel(tokens) { try SignedInAnswer(try await gateway.signIn($0)) }
            #expect(Set(signedIn.map(\.account)).count == 1)
            #expect(Set(signedIn.map(\.identity)).count == 1)
            #expect(Set(signedIn.map(\.session)).count == 20)
            #expect(signedIn.count { $0.isNewAccount } == 1)
            #expect(try await gateway.claims(on: try #require(signedIn[0].email)) == 1)
        }

        @Test("two providers that prove one address at once make one account with two identities")
        func oneAddress() async throws {
            let gateway = try GatewayProcess.current
            for _ in 0..<5 {
                let email = Fresh.email()
                let minted = try await ["apple", "google", "cognito"].asyncMap {
                    try await gateway.simulator.mint($0, ["email": .string(email)])
                }
                let signedIn = try await inParallel(minted) { try SignedInAnswer(try await gateway.signIn($0)) }
                #expect(Set(signedIn.map(\.account)).count == 1)
                #expect(signedIn.count { $0.isNewAccount } == 1)
                #expect(try await gateway.identities(signedIn[0]).sorted() == ["apple", "cognito", "google"])
                #expect(try await gateway.claims(on: email) == 1)
            }
        }

        @Test("a proof and a claim of one address at once: the proof has it, the claim is asked or goes without")
        func proofAndClaim() async throws {
            let gateway = try GatewayProcess.current
            for _ in 0..<5 {
                let email = Fresh.email()
                let minted = try await ["google", "amazon"].asyncMap {
                    try await gateway.simulator.mint($0, ["email": .string(email)])
                }
                let answers = try await inParallel(minted) { try await gateway.signIn($0) }
                let proof = try #require(answers.first { $0.json["identity"]?["provider"] == "google" })
                #expect(try SignedInAnswer(proof).emailVerified == true)
                #expect(answers.allSatisfy { $0.status == 200 }, "\(answers.map(\.text))")
                let holders = try await gateway.count(
                    "select count(*) from account_emails where address_key = \(email) and proved_at is not null")
                #expect(holders == 1)
                #expect(try await gateway.claims(on: email) == 1)
            }
        }

        @Test("one identity linked to two accounts at once belongs to one")
        func oneIdentityTwoAccounts() async throws {
            let gateway = try GatewayProcess.current
            for _ in 0..<5 {
                let accounts = try await ["apple", "apple", "amazon"].asyncMap { try await gateway.session($0) }
                let person: JSONObject = ["subject": .string(Fresh.subject("google")), "email": .string(Fresh.email())]
                let answers = try await inParallel(accounts) { session in
                    try await gateway.link(
                        try await gateway.simulator.mint("google", person), bearer: session.accessToken)
                }
                #expect(answers.map(\.status).sorted() == [201, 409, 409])
            }
        }
    }
}

extension Sequence {
    /// One after the other.
    fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
