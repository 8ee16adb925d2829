import HTTPTypes
import Hummingbird
import JSON
import Testing

/// New passwords against a range service.
@Suite("Breached passwords")
struct BreachedPasswordTests {
    /// Known to the service, though not in the bundled list; with its digest by `sha1sum`.
    private static let breached = "Troubador&3 leaked"
    private static let digest = "CABF062DFFC06846A890617BB9C4A67A2FAA80AE"

    /// A service that knows the password of each range that it is asked for, until it stops.
    private func withService(
        _ isRunning: @escaping @Sendable () -> Bool = { true }, _ body: (GatewayProcess) async throws -> Void
    ) async throws {
        try await withLocalServer({ request in
            guard isRunning() else { return Response(status: .internalServerError) }
            let prefix = request.uri.path.split(separator: "/").last.map(String.init) ?? ""
            let text = Self.digest.hasPrefix(prefix) ? "\(Self.digest.dropFirst(5)):7\r\n" : ""
            return Response(status: .ok, body: .init(byteBuffer: .init(string: text)))
        }) { address in
            try await withGateway(["PASSWORD_BREACH_URL": "\(address)/range"], body)
        }
    }

    @Test("a sign-up, a reset and a change refuse one, and the account keeps its password")
    func refused() async throws {
        try await withService { gateway in
            let refused = try await gateway.post(
                "/v1/sign-up",
                ["client_id": "app", "username": .string(Fresh.email()), "password": .string(Self.breached)])
            #expect(refused.status == 400 && refused.code == "password_common", "\(refused.text)")
            #expect(refused.json["errors"]?.array?.first?["pointer"] == "/password")
            let email = Fresh.email()
            let person = try await gateway.signUp(email)
            let change: JSON = [
                "current_password": .string(GatewayProcess.password), "new_password": .string(Self.breached),
            ]
            let changed = try await gateway.post("/v1/password/change", change, bearer: person.accessToken)
            #expect(changed.code == "password_common", "\(changed.text)")
            let asked = try await gateway.forgot(email)
            #expect(try await gateway.reset(asked, to: Self.breached).code == "password_common")
            let done = try await gateway.reset(asked, to: "a newer heron under the bridge 17")
            #expect(done.status == 200, "the code is still valid: \(done.text)")
        }
    }

    @Test("3-B11: while the service is silent, no hashing place is held: others sign in")
    func places() async throws {
        let (asked, asking) = AsyncStream<Void>.makeStream()
        let latch = Latch()
        // Too many for the nine places, even if each is given up after the service's two seconds.
        let count = 60
        try await withLocalServer({ _ in
            asking.yield()
            await latch.wait()
            return Response(status: .ok)
        }) { address in
            let few = ["HASH_THREADS": "1", "HASH_QUEUE": "8", "TRUSTED_PROXIES": "127.0.0.1"]
            try await withGateway(few) { plain in
                // Known before the service hangs.
                let email = Fresh.email()
                _ = try await plain.signUp(email)
                let gateway = try await plain.deployment.start(
                    few.merging(["PASSWORD_BREACH_URL": "\(address)/range", "REQUEST_TIMEOUT_SECONDS": "120"]) { $1 })
                async let waiting = inParallel(count) { number in
                    try await gateway.send(
                        TestRequest("POST", "/v1/sign-up").header("X-Forwarded-For", "198.51.100.\(number)").json([
                            "client_id": "app", "username": .string(Fresh.email()),
                            "password": .string("a new heron over the weir \(number)"),
                        ]))
                }
                var seen = 0
                for await _ in asked {
                    seen += 1
                    if seen == 9 { break }
                }
                let known = try await gateway.passwordSignIn(email, GatewayProcess.password)
                #expect(known.status == 200, "\(known.text)")
                await latch.open()
                #expect(try await waiting.allSatisfy { $0.status == 200 })
                await gateway.expectGoodEnd()
            }
        }
    }

    @Test("without an answer of the service, new passwords are accepted")
    func failsOpen() async throws {
        try await withService({ false }) { gateway in
            let email = Fresh.email()
            let answer = try await gateway.post(
                "/v1/sign-up",
                ["client_id": "app", "username": .string(email), "password": .string(Self.breached)])
            _ = try PendingAnswer(answer, "confirm_sign_up")
        }
    }
}

/// Holds callers back until it is opened.
private actor Latch {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func wait() async {
        guard !isOpen else { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
        isOpen = true
        for one in waiting { one.resume() }
        waiting = []
    }
}
