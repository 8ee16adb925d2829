import Cryptography
import Foundation
import JSON
import TestSupport
import Testing

/// Slow hashing with a small queue: one thread, sixteen places, two of one network.
@Suite("Password hashing beyond its capacity")
struct OverloadTests {
    private static let slow: [String: String?] = [
        "HASH_THREADS": "1", "HASH_QUEUE": "16", "HASH_MEMORY_KIB": "65536", "HASH_ITERATIONS": "4",
        "TRUSTED_PROXIES": "127.0.0.1", "REQUEST_TIMEOUT_SECONDS": "60",
    ]

    private static func signIn(
        _ gateway: GatewayProcess, _ name: String, _ password: String, from address: String
    ) async throws -> TestAnswer {
        try await gateway.send(
            TestRequest("POST", "/v1/sign-in").header("X-Forwarded-For", address).json([
                "provider": "password", "client_id": "app",
                "credential": ["username": .string(name), "password": .string(password)],
            ]))
    }

    @Test("K3: an overload refusal is not charged, and the right password works once there is room")
    func turnedAway() async throws {
        let few = ["THROTTLE_ACCOUNT_BURST": "4", "THROTTLE_ACCOUNT_PER_HOUR": "1"]
        try await withGateway(Self.slow.merging(few) { $1 }) { gateway in
            let email = Fresh.email()
            _ = try await gateway.signUp(email)
            async let flood = inParallel(120) { number in
                try await Self.signIn(gateway, Fresh.email(), "not the password", from: "198.51.100.\(number)")
            }
            // More than the network's share, so Ann's own network is busy too.
            let answers = try await inParallel(12) { _ in
                try await Self.signIn(gateway, email, GatewayProcess.password, from: "203.0.113.1")
            }
            let refused = answers.filter { $0.status != 200 }
            #expect(refused.count > 2, "nobody was turned away")
            #expect(refused.allSatisfy { $0.status == 503 && $0.code == "overloaded" })
            #expect(refused.allSatisfy { Int($0.header("Retry-After") ?? "") ?? 0 >= 1 })
            #expect(try await flood.allSatisfy { $0.status == 401 || $0.code == "overloaded" })
            // Right passwords use up at most half of the four attempts.
            for _ in 0..<2 {
                let after = try await Self.signIn(gateway, email, GatewayProcess.password, from: "203.0.113.1")
                #expect(after.status == 200, "\(after.text)")
            }
            // The hashed guesses were charged. The network has signed Ann in, and so has four attempts of its own.
            var codes: [String?] = []
            for _ in 0..<5 {
                codes.append(try await Self.signIn(gateway, email, "not the password", from: "203.0.113.1").code)
            }
            #expect(codes.prefix(2) == ["invalid_credentials", "invalid_credentials"])
            #expect(codes.last == "throttled")
        }
    }

    @Test("K3: a sign-up refused by overload is not charged")
    func signUp() async throws {
        let budget = 40
        let changes = Self.slow.merging(["THROTTLE_MAIL_ADDRESS_PER_HOUR": String(budget)]) { $1 }
        try await withGateway(changes) { gateway in
            @Sendable func signUp() async throws -> TestAnswer {
                try await gateway.send(
                    TestRequest("POST", "/v1/sign-up").header("X-Forwarded-For", "203.0.113.1").json([
                        "client_id": "app", "username": .string(Fresh.email()),
                        "password": .string(GatewayProcess.password),
                    ]))
            }
            let answers = try await inParallel(100) { _ in try await signUp() }
            #expect(answers.contains { $0.code == "overloaded" }, "nobody was turned away")
            // The network's mails are limited by those that the successful sign-ins have not used.
            var begun = answers.count { $0.status == 200 }
            while begun <= budget {
                let answer = try await gateway.patiently { try await signUp() }
                guard answer.status == 200 else {
                    #expect(answer.code == "throttled", "\(answer.text)")
                    break
                }
                begun += 1
            }
            #expect(begun == budget)
        }
    }

    @Test("3-D11: an SRP sign-in beyond the network's limit is refused before it waits for a hashing place")
    func srpStart() async throws {
        let few = ["THROTTLE_ADDRESS_BURST": "3", "THROTTLE_ADDRESS_PER_MINUTE": "1"]
        try await withGateway(Self.slow.merging(few) { $1 }) { gateway in
            let api = try await CognitoAPI.enabled(on: gateway)
            // Once, because it takes long in a debug build.
            let value = SRPClient().publicValue
            @Sendable func start(from address: String) async throws -> JSON {
                try await api.raw(
                    "InitiateAuth",
                    [
                        "AuthFlow": "USER_SRP_AUTH", "ClientId": .string(api.clientID),
                        "AuthParameters": ["USERNAME": .string(Fresh.email()), "SRP_A": .string(value)],
                    ], headers: [("X-Forwarded-For", address)]
                ).json
            }
            for _ in 0..<3 {
                #expect(try await start(from: "203.0.113.1")["ChallengeName"] == "PASSWORD_VERIFIER")
            }
            let flood = Task {
                try await inParallel(0..<40) { _ in
                    while !Task.isCancelled {
                        let address = "198.51.100.\(Int.random(in: 1...254))"
                        _ = try await Self.signIn(gateway, Fresh.email(), "not the password", from: address)
                        try await Task.sleep(for: .milliseconds(10))
                    }
                }
            }
            defer { flood.cancel() }
            // Others are turned away for lack of places.
            _ = try await poll {
                try await start(from: "192.0.2.\(Int.random(in: 1...254))")["__type"] == "TooManyRequestsException"
                    ? () : nil
            }
            for _ in 0..<5 {
                #expect(try await start(from: "203.0.113.1")["message"] == "Password attempts exceeded")
            }
            flood.cancel()
            _ = await flood.result
        }
    }

    @Test("D3: right passwords from one network leave the queue to others")
    func oneNetwork() async throws {
        try await withGateway(Self.slow) { gateway in
            let (one, other) = (Fresh.email(), Fresh.email())
            for email in [one, other] { _ = try await gateway.signUp(email) }
            async let flood = inParallel(120) { _ in
                try await Self.signIn(gateway, one, GatewayProcess.password, from: "203.0.113.1")
            }
            for _ in 0..<4 {
                let answer = try await Self.signIn(gateway, other, GatewayProcess.password, from: "198.51.100.1")
                #expect(answer.status == 200, "\(answer.text)")
            }
            let answers = try await flood
            #expect(answers.contains { $0.status == 200 })
            #expect(answers.contains { $0.code == "overloaded" }, "the network was given more than its share")
        }
    }

    @Test("D3: a right password refunds nothing to the network's budget")
    func networkPays() async throws {
        let changes = [
            "TRUSTED_PROXIES": "127.0.0.1", "THROTTLE_ADDRESS_BURST": "6", "THROTTLE_ADDRESS_PER_MINUTE": "1",
            "THROTTLE_ACCOUNT_BURST": "2", "THROTTLE_ACCOUNT_PER_HOUR": "1",
        ]
        try await withGateway(changes) { gateway in
            let email = Fresh.email()
            _ = try await gateway.signUp(email)
            for _ in 0..<6 {
                let answer = try await Self.signIn(gateway, email, GatewayProcess.password, from: "203.0.113.1")
                #expect(answer.status == 200, "\(answer.text)")
            }
            let seventh = try await Self.signIn(gateway, email, GatewayProcess.password, from: "203.0.113.1")
            try await gateway.expectRefusal(seventh, 429, "throttled", provider: "password")
            let elsewhere = try await Self.signIn(gateway, email, GatewayProcess.password, from: "198.51.100.1")
            #expect(elsewhere.status == 200, "the account has its own budget, which was given back: \(elsewhere.text)")
        }
    }
}
