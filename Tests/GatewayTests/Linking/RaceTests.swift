import Foundation
import JSON
import Postgres
import Testing

extension LinkingTests {
    @Suite("Concurrent first sign-ins")
    struct RaceTests {
        @Test("twenty concurrent tokens of one new identity create one account", arguments: ["apple", "microsoft"])
        func oneSubject(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let person: JSONObject = ["subject": .string(Fresh.subject(provider)), "email": .string(email)]
            let tokens = try await inParallel(0..<20) { _ in try await gateway.simulator.mint(provider, person) }
            let signedIn = try await inParallel(tokens) { try SignedInAnswer(try await gateway.signIn($0)) }
            #expect(Set(signedIn.map(\.account)).count == 1)
            #expect(Set(signedIn.map(\.identity)).count == 1)
            #expect(Set(signedIn.map(\.session)).count == 20)
            #expect(signedIn.count { $0.isNewAccount } == 1)
            // Microsoft does not prove an address, and the budget of claims is five. The sign-in that creates the
            // account may exceed it, and then the account has no address.
            let claims = try await gateway.claims(on: email)
            #expect(provider == "apple" ? claims == 1 : claims <= 1)
            #expect(Set(signedIn.map(\.email)) == [claims == 1 ? email : nil])
        }

        @Test("an identity linked during the decision signs in without a further proof")
        func knownMeanwhile() async throws {
            let gateway = try GatewayProcess.current
            let (email, subject) = (Fresh.email(), Fresh.subject("microsoft"))
            let owner = try SignedInAnswer(
                try await gateway.signIn(try await gateway.simulator.mint("microsoft", ["email": .string(email)])))
            let account = try #require(UUID(uuidString: owner.account))
            let session = try #require(UUID(uuidString: owner.session))
            let token = try await gateway.simulator.mint(
                "microsoft", ["email": .string(email), "subject": .string(subject)])
            let (isLocked, locked) = AsyncStream<Void>.makeStream()
            async let faster: Void = gateway.sql { connection in
                defer { locked.finish() }
                try connection.transaction { connection in
                    try connection.execute(
                        "select lock_identity(provider, realm, \(subject)) from identities where account_id = \(account)"
                    )
                    locked.finish()
                    try connection.untilSomebodyWaits()
                    try connection.execute(
                        """
                        select link_identity(
                                   account_id, \(session), 600, gen_random_uuid(),
                                   row(provider, realm, \(subject), email, email_verified, email_is_relay, display_name)::identity_facts,
                                   '{}', '{}', '{}', null, null, null, null, null, null, null)
                          from identities where account_id = \(account)
                        """)
                }
            }
            for await _ in isLocked {}
            let answer = try await gateway.signIn(token)
            try await faster
            #expect(try SignedInAnswer(answer).account == owner.account)
        }

        @Test("L-21: a sign-in that waits for a move of its identity signs in to the target account")
        func movedMeanwhile() async throws {
            let gateway = try GatewayProcess.current
            let subject = Fresh.subject("apple")
            let from = try await gateway.session(
                "apple", ["subject": .string(subject), "email": .string(Fresh.email())])
            let target = try await gateway.session("google", ["email": .string(Fresh.email())])
            try await gateway.change("insert into passwords (account_id, hash) values (\(from.account)::uuid, 'x')")
            let token = try await gateway.simulator.mint("apple", ["subject": .string(subject)])
            let answer = try await gateway.racing(
                """
                select move_identity(gen_random_uuid(), \(from.identity)::uuid, \(from.account)::uuid, \(target.account)::uuid,
                                     '{password}', null, null, 'test')
                """
            ) { try await gateway.signIn(token) }
            #expect(try SignedInAnswer(answer).account == target.account)
            let open = try await gateway.count(
                "select count(*) from sessions where account_id = \(from.account)::uuid and ended_at is null")
            #expect(open == 0)
        }

        @Test("S-08: a session ended meanwhile by a new password links nothing")
        func endedMeanwhile() async throws {
            let gateway = try GatewayProcess.current
            let owner = try await gateway.session("apple", ["email": .string(Fresh.email())])
            let subject = Fresh.subject("google")
            let minted = try await gateway.simulator.mint("google", ["subject": .string(subject)])
            let answer = try await gateway.racing(
                "select replace_password(\(owner.account)::uuid, row('x', null), 'reset', null, false, null, null, null, null, 'test')"
            ) { try await gateway.link(minted, bearer: owner.accessToken) }
            try await gateway.expectRefusal(answer, 401, "session_ended", action: "link_identity")
            try await gateway.expectNobody("google", subject)
        }

        @Test("an address with a withdrawn proof links nothing")
        func proofTakenBack() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let owner = try await gateway.session("apple", ["email": .string(email)])
            let token = try await gateway.simulator.mint("google", ["email": .string(email)])
            let answer = try await gateway.racing(
                "select require_proof(\(owner.account)::uuid, \(email), '{apple}', null, 'test')"
            ) { try await gateway.signIn(token) }
            #expect(try SignedInAnswer(answer).account != owner.account)
            let identities = try await gateway.count(
                "select count(*) from identities where account_id = \(owner.account)::uuid")
            #expect(identities == 1)
        }

        @Test("two providers that prove one address concurrently create one account with two identities")
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

        @Test("a concurrent proof and claim of one address: the proof gets it, the claim is asked or gets none")
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

        @Test(
            "an identity that is linked while it signs in for the first time belongs to one account, without an error")
        func linkedAndSignedIn() async throws {
            let gateway = try GatewayProcess.current
            for _ in 0..<10 {
                let owner = try await gateway.session("apple")
                let person: JSONObject = ["subject": .string(Fresh.subject("google")), "email": .string(Fresh.email())]
                let answers = try await inParallel(0..<4) { number in
                    let minted = try await gateway.simulator.mint("google", person)
                    return number.isMultiple(of: 2)
                        ? try await gateway.link(minted, bearer: owner.accessToken) : try await gateway.signIn(minted)
                }
                #expect(answers.allSatisfy { [200, 201, 409].contains($0.status) }, "\(answers.map(\.text))")
                let signedIn = try answers.filter { $0.json["status"] == "signed_in" }.map { try SignedInAnswer($0) }
                #expect(signedIn.count == 2 && Set(signedIn.map(\.account)).count == 1)
            }
        }

        @Test("one identity linked to two accounts concurrently belongs to one")
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
    /// Sequentially.
    fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
