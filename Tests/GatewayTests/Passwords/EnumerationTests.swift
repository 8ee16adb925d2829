import JSON
import Postgres
import TestSupport
import Testing

/// The existence of an account is never revealed.
///
/// Its gateway uses production costs for hashes, so that a missing hash would be visible.
@Suite("Account enumeration", .serialized, .gateway(["HASH_MEMORY_KIB": "32768", "HASH_ITERATIONS": "2"]))
struct EnumerationTests {
    @Test("P-01: wrong, unknown and disabled get the same refusal")
    func words() async throws {
        let gateway = try GatewayProcess.current
        let (known, disabled) = (Fresh.email(), Fresh.email())
        _ = try await gateway.signUp(known)
        let shut = try await gateway.signUp(disabled)
        #expect(try await gateway.deployment.accounts("disable", shut.account).exitCode == 0)
        let unknown = try await gateway.passwordSignIn(Fresh.email(), GatewayProcess.password)
        let wrong = try await gateway.passwordSignIn(known, "not the password")
        let refused = try await gateway.passwordSignIn(disabled, GatewayProcess.password)
        #expect(wrong.likeness == unknown.likeness)
        #expect(refused.likeness == unknown.likeness)
        for answer in [unknown, wrong, refused] {
            try await gateway.expectRefusal(answer, 401, "invalid_credentials", provider: "password")
        }
    }

    @Test("P-01: a sign-up gets the same answer for an address with an account; only its mailbox is notified")
    func signUpWords() async throws {
        let gateway = try GatewayProcess.current
        let (known, unknown) = (Fresh.email(), Fresh.email())
        let owner = try await gateway.signUp(known)
        let first = try await gateway.trySignUp(unknown)
        let second = try await gateway.trySignUp(known)
        #expect(second.status == 200)
        #expect(second.likeness == first.likeness)
        let flow = try #require(second.json["flow"]?.string)
        let subject = try await poll {
            gateway.mails(to: known).map(\.subject).first { $0.hasPrefix("You already have an account") }
        }
        #expect(subject.contains("You already have an account"))
        // No code was made or works, and a request for another one sends the same mail again.
        let code = try await gateway.mailedCode(to: known)
        for guess in [code, "000000", ""] {
            let answer = try await gateway.confirm(flow, guess)
            #expect(answer.status == 400)
            #expect(answer.json["session"] == nil)
        }
        try await gateway.change("update flows set resend_after = now() where address_key = \(known)")
        #expect(try await gateway.resend(flow).status == 200)
        _ = try await poll { gateway.mails(to: known).count { $0.code == nil } == 2 ? () : nil }
        #expect(gateway.mails(to: known).count { $0.code != nil } == 1)
        #expect(try await gateway.checkSession(owner.accessToken).status == 200)
        #expect(try await gateway.audit(second).first?.reason == "address_known")
    }

    private static let begun = "a fine password of nobody's 77"

    @Test("P-01: a sign-up followed by a sign-in with its password reveals nothing")
    func signInAfterSignUp() async throws {
        let gateway = try GatewayProcess.current
        let (known, disabled, provided) = (Fresh.email(), Fresh.email(), Fresh.email())
        _ = try await gateway.signUp(known)
        let shut = try await gateway.signUp(disabled)
        #expect(try await gateway.deployment.accounts("disable", shut.account).exitCode == 0)
        _ = try await gateway.session(
            "apple", ["subject": .string(Fresh.subject("apple")), "email": .string(provided)])
        let unknown = Fresh.email()
        _ = try await gateway.beginSignUp(unknown, password: Self.begun)
        let right = try await gateway.passwordSignIn(unknown, Self.begun)
        let wrong = try await gateway.passwordSignIn(unknown, "not the password")
        #expect(right.json["next_step"]?["type"] == "confirm_sign_up")
        #expect(wrong.code == "invalid_credentials")
        for name in [known, disabled, provided] {
            _ = try await gateway.beginSignUp(name, password: Self.begun)
            let answer = try await gateway.passwordSignIn(name, Self.begun)
            #expect(answer.likeness == right.likeness)
            let flow = try #require(answer.json["flow"]?.string)
            #expect(try await gateway.confirm(flow, "000000").code == "code_wrong")
            #expect(try await gateway.passwordSignIn(name, "not the password").likeness == wrong.likeness)
        }
        #expect(try await gateway.passwordSignIn(known, GatewayProcess.password).json["session"] != nil)
        #expect(try await gateway.passwordSignIn(disabled, GatewayProcess.password).likeness == wrong.likeness)
    }

    @Test("P-01: a wrong password takes the same time while a sign-up with the name is pending")
    func timeAfterSignUp() async throws {
        let gateway = try GatewayProcess.current
        let (known, unknown) = (Fresh.email(), Fresh.email())
        _ = try await gateway.signUp(known)
        for name in [known, unknown] { _ = try await gateway.beginSignUp(name, password: Self.begun) }
        try await expectAlike(pairs: 30, unknown: unknown) {
            [known]
        } asking: { name in
            let answer = try await gateway.passwordSignIn(name, "not the password")
            #expect(answer.code == "invalid_credentials")
            return answer.duration
        }
    }

    @Test("P-01: existing and unknown names take the same time")
    func time() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        try await expectAlike(pairs: 40) {
            [email]
        } asking: { name in
            let answer = try await gateway.passwordSignIn(name, "not the password")
            #expect(answer.code == "invalid_credentials")
            return answer.duration
        }
    }

    @Test("P-01: a sign-up takes the same time whether the address has an account or not")
    func signUpTime() async throws {
        let gateway = try GatewayProcess.current
        try await expectAlike(pairs: 16) {
            // A mailbox gets five mails in a row, including that of its own sign-up.
            try await inParallel(4) { _ in
                let email = Fresh.email()
                _ = try await gateway.signUp(email)
                return email
            }
        } asking: { name in
            let answer = try await gateway.trySignUp(name)
            #expect(answer.status == 200)
            return answer.duration
        }
    }

    /// Alternates between existing and unknown names, and compares the medians.
    ///
    /// The bound is wide and there are three rounds, so that a busy machine does not fail it. A missing hash makes one
    /// of the two many times faster in every round.
    private func expectAlike(
        pairs: Int, unknown stranger: String? = nil, known: () async throws -> [String],
        asking ask: (String) async throws -> Duration
    ) async throws {
        var ratios: [Double] = []
        for _ in 0..<3 {
            let names = try await known()
            var (existing, unknown): ([Duration], [Duration]) = ([], [])
            for number in 0..<pairs {
                let name = names[number / 2 % names.count]
                // The order alternates.
                if number.isMultiple(of: 2) { existing.append(try await ask(name)) }
                unknown.append(try await ask(stranger ?? Fresh.email()))
                if !number.isMultiple(of: 2) { existing.append(try await ask(name)) }
            }
            let (one, other) = (try #require(median(existing)), try #require(median(unknown)))
            ratios.append(one / other)
            if (0.66...1.5).contains(one / other) { return }
        }
        Issue.record("Existing names took \(ratios) times as long as unknown ones.")
    }
}

extension GatewayProcess {
    func trySignUp(_ email: String) async throws -> TestAnswer {
        try await post(
            "/v1/sign-up", ["client_id": "app", "username": .string(email), "password": .string(Self.password)])
    }
}
