import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// Attempts are limited by name; this gateway allows ten at once per name, and one more per hour.
@Suite("Password throttles", .gateway(["THROTTLE_ACCOUNT_BURST": "10", "THROTTLE_ACCOUNT_PER_HOUR": "1"]))
struct ThrottleTests {
    @Test("P-10: a thousand failures slow strangers and not the user's device")
    func knownDevice() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let owner = try await gateway.signUp(email)
        let device = try #require(owner.answer.json["device"]?["token"]?.string)
        let answers = try await inParallel(8) { _ in
            var codes: [String?] = []
            for _ in 0..<125 {
                codes.append(
                    try await gateway.patiently { try await gateway.passwordSignIn(email, "not the password") }.code)
            }
            return codes
        }.flatMap(\.self)
        #expect(answers.count { $0 == "invalid_credentials" } == 10)
        #expect(answers.count { $0 == "throttled" } == 990)
        // A stranger waits, even with the right password; a made-up or another user's device is a stranger.
        let stranger = try await gateway.passwordSignIn(email, GatewayProcess.password)
        try await gateway.expectRefusal(stranger, 429, "throttled", provider: "password")
        let other = try await gateway.signUp(Fresh.email())
        for mark in [
            "dt_" + String(repeating: "A", count: 43), try #require(other.answer.json["device"]?["token"]?.string),
        ] {
            #expect(try await gateway.passwordSignIn(email, GatewayProcess.password, device: mark).code == "throttled")
        }
        let known = try await gateway.passwordSignIn(email, GatewayProcess.password, device: device)
        #expect(try SignedInAnswer(known).account == owner.account)
        // The device proves nothing: a wrong password is wrong. It counts in the device's own bucket, where the right
        // one took one attempt. Less than half is used, so there was no refund.
        let wrong = try await inParallel(12) { _ in
            try await gateway.passwordSignIn(email, "not the password", device: device).code
        }
        #expect(wrong.count { $0 == "invalid_credentials" } == 9)
        #expect(wrong.count { $0 == "throttled" } == 3)
        // Existing sessions and other sign-in methods are not affected.
        #expect(try await gateway.refresh(owner.refreshToken).status == 200)
        #expect(try await gateway.anyone().isNewAccount)
    }

    @Test("P-08: every spelling of a name counts on one bucket")
    func spellings() async throws {
        let gateway = try GatewayProcess.current
        let name = "user\(Fresh.text())é@example.com"
        let spellings = [
            name, name.uppercased(), name.replacing("e@", with: "E@"), " \(name)", "\(name)\n",
            name.decomposedStringWithCanonicalMapping, name.replacing("user", with: "ｕｓｅｒ"),
            name.replacing("é", with: "e"), name.replacing("é", with: "È"), name.replacing("@", with: "＠"),
            name.capitalized, name.replacing("u", with: "ü"),
        ]
        let codes = try await inParallel(spellings.count) { number in
            try await gateway.passwordSignIn(spellings[number], "not the password").code
        }
        #expect(codes.count { $0 == "invalid_credentials" } == 10)
        #expect(codes.count { $0 == "throttled" } == spellings.count - 10)
        // Another name is another bucket.
        #expect(try await gateway.passwordSignIn(Fresh.email(), "not the password").code == "invalid_credentials")
    }

    @Test("P-08: every spelling of a number counts on one bucket")
    func numbers() async throws {
        let gateway = try GatewayProcess.current
        let phone = Array(Fresh.phone())
        let spellings = (2..<9).flatMap { place in
            [" ", "-"].map { String(phone[..<place]) + $0 + String(phone[place...]) }
        }
        let codes = try await inParallel(spellings.count) { number in
            try await gateway.passwordSignIn(spellings[number], "not the password").code
        }
        #expect(codes.count { $0 == "invalid_credentials" } == 10)
        #expect(codes.count { $0 == "throttled" } == spellings.count - 10)
    }

    @Test("right passwords never use up their account's attempts")
    func rightPassword() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        for _ in 0..<15 {
            let answer = try await gateway.patiently {
                try await gateway.passwordSignIn(email, GatewayProcess.password)
            }
            #expect(answer.status == 200, "\(answer.text)")
        }
        // Half of the ten are left for failures.
        let wrong = try await inParallel(8) { _ in
            try await gateway.patiently { try await gateway.passwordSignIn(email, "not the password") }.code
        }
        #expect(wrong.count { $0 == "invalid_credentials" } == 5, "\(wrong)")
        #expect(wrong.count { $0 == "throttled" } == 3)
    }

    /// Records every write to a bucket.
    private static let noted = """
        create table bucket_writes (bucket bytea);
        create function note_bucket_write() returns trigger language plpgsql security definer set search_path = public as $$
        begin
            insert into bucket_writes (bucket) values (new.bucket);
            return null;
        end $$;
        create trigger note_bucket_write after insert or update on throttles for each row execute function note_bucket_write();
        """

    @Test("a password sign-in writes once to each bucket, right or wrong, and a refused one to none")
    func writes() async throws {
        try await withGateway(["THROTTLE_ACCOUNT_BURST": "10", "THROTTLE_ACCOUNT_PER_HOUR": "1"]) { gateway in
            let email = Fresh.email()
            _ = try await gateway.signUp(email)
            try await gateway.sql { try $0.executeScript(Self.noted) }
            /// The writes of one sign-in, and the buckets that it wrote to.
            func cost(_ password: String, _ code: String?) async throws -> [Int] {
                try await gateway.sql { try $0.executeScript("delete from bucket_writes") }
                let answer = try await gateway.passwordSignIn(email, password)
                #expect(answer.code == code, "\(answer.text)")
                return [
                    try await gateway.count("select count(*) from bucket_writes"),
                    try await gateway.count("select count(distinct bucket) from bucket_writes"),
                ]
            }
            #expect(try await cost("not the password", "invalid_credentials") == [2, 2])
            #expect(try await cost(GatewayProcess.password, nil) == [2, 2])
            for _ in 3...5 { #expect(try await cost("not the password", "invalid_credentials") == [2, 2]) }
            // More than half of the attempts from the network are used, so this one is refunded.
            #expect(try await cost(GatewayProcess.password, nil) == [3, 2])
            for _ in 6...10 { #expect(try await cost("not the password", "invalid_credentials") == [2, 2]) }
            #expect(try await cost("not the password", "throttled") == [0, 0])
            #expect(try await cost(GatewayProcess.password, "throttled") == [0, 0])
        }
    }
}

/// Hashing has its own threads and queue: here one thread, and five places for one network.
@Suite("Password hashing under load")
struct HashingLoadTests {
    @Test("P-04: a flood of passwords fills a bounded queue, and token requests are not delayed")
    func flood() async throws {
        let changes = ["HASH_THREADS": "1", "HASH_QUEUE": "40", "HASH_MEMORY_KIB": "32768", "HASH_ITERATIONS": "2"]
        try await withGateway(changes) { gateway in
            let person = try await gateway.anyone()
            let resting = try gateway.child.memory(.resident)
            async let flood = inParallel(200) { _ in try await gateway.passwordSignIn(Fresh.email(), "not the password")
            }
            var token = person.refreshToken
            for _ in 0..<20 {
                let pair = try await gateway.refreshed(token)
                #expect(try await gateway.checkSession(pair.accessToken).status == 200)
                token = pair.refreshToken
            }
            let answers = try await flood
            let (hashed, refused) = (answers.filter { $0.status == 401 }, answers.filter { $0.status != 401 })
            #expect(hashed.allSatisfy { $0.code == "invalid_credentials" })
            #expect(refused.allSatisfy { $0.status == 503 && $0.code == "overloaded" })
            #expect(refused.allSatisfy { Int($0.header("Retry-After") ?? "") ?? 0 >= 1 })
            // The first five find room; with one thread, not all others can.
            #expect(hashed.count >= 5)
            #expect(refused.count >= 1)
            try await gateway.expectRefusal(try #require(refused.first), 503, "overloaded", provider: "password")
            // One hash at a time takes 32 MiB; two hundred would take 6 GiB.
            if ChildMemory.isTelling {
                #expect(try gateway.child.memory(.peak) < resting + 32_768 + 131_072)
            }
            // After the overload, passwords are checked again.
            #expect(try await gateway.passwordSignIn(Fresh.email(), "not the password").code == "invalid_credentials")
        }
    }
}

extension GatewayProcess {
    /// Repeats the request after an overload refusal, which a busy machine may cause.
    func patiently(_ ask: () async throws -> TestAnswer) async throws -> TestAnswer {
        try await poll(within: .seconds(60)) {
            let answer = try await ask()
            return answer.code == "overloaded" ? nil : answer
        }
    }

    /// Signs in with a password and a device mark.
    func passwordSignIn(_ email: String, _ password: String, device: String) async throws -> TestAnswer {
        try await post(
            "/v1/sign-in",
            [
                "provider": "password", "client_id": "app", "device": ["token": .string(device)],
                "credential": ["username": .string(email), "password": .string(password)],
            ])
    }
}
