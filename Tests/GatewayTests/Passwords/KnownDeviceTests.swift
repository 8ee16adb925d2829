import Foundation
import JSON
import Postgres
import Testing

/// Marks of known devices; its gateway allows ten wrong passwords at once on one name.
@Suite("Marks of known devices", .gateway(["THROTTLE_ACCOUNT_BURST": "10", "THROTTLE_ACCOUNT_PER_HOUR": "1"]))
struct KnownDeviceTests {
    private static let next = "another heron over the weir"

    private func person() async throws -> (email: String, session: SignedInAnswer, device: String) {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let session = try await gateway.signUp(email)
        return (email, session, try #require(session.device))
    }

    /// Strangers use up the attempts for the name.
    private func flood(_ email: String) async throws {
        let gateway = try GatewayProcess.current
        for _ in 0..<12 {
            _ = try await gateway.patiently { try await gateway.passwordSignIn(email, "not the password") }
        }
        #expect(try await gateway.passwordSignIn(email, GatewayProcess.password).code == "throttled")
    }

    @Test("F7: a mark ends with the password, changed or reset by an operator", arguments: [true, false])
    func endsWithPassword(isChanged: Bool) async throws {
        let gateway = try GatewayProcess.current
        let (email, session, device) = try await person()
        if isChanged {
            let changed = try await gateway.post(
                "/v1/password/change",
                ["current_password": .string(GatewayProcess.password), "new_password": .string(Self.next)],
                bearer: session.accessToken)
            #expect(changed.status == 204)
        } else {
            #expect(
                try await gateway.deployment.run("accounts", "require-reset", session.account, "--yes").exitCode == 0)
        }
        try await flood(email)
        #expect(try await gateway.passwordSignIn(email, Self.next, device: device).code == "throttled")
    }

    @Test("F7: a reset gives the device a new mark, and the old one is refused")
    func reset() async throws {
        let gateway = try GatewayProcess.current
        let (email, _, device) = try await person()
        let asked = try await gateway.forgot(email)
        let answer = try await gateway.post(
            "/v1/password/reset",
            [
                "flow": .string(asked.pending.flow),
                "response": ["code": .string(asked.code), "new_password": .string(Self.next)],
                "device": ["token": .string(device)],
            ])
        let fresh = try #require(try SignedInAnswer(answer).device)
        #expect(fresh != device)
        try await flood(email)
        #expect(try await gateway.passwordSignIn(email, Self.next, device: device).code == "throttled")
        #expect(try await gateway.passwordSignIn(email, Self.next, device: fresh).status == 200)
    }

    @Test("F7: a mark is valid for 180 days")
    func expires() async throws {
        let gateway = try GatewayProcess.current
        let (email, session, device) = try await person()
        let days = try await gateway.count(
            "select round(extract(epoch from expires_at - now()) / 86400)::int8 from known_devices where account_id = \(session.account)::uuid"
        )
        #expect(days == 180)
        try await flood(email)
        #expect(try await gateway.passwordSignIn(email, GatewayProcess.password, device: device).status == 200)
        try await gateway.change(
            "update known_devices set expires_at = now() where account_id = \(session.account)::uuid")
        #expect(try await gateway.passwordSignIn(email, GatewayProcess.password, device: device).code == "throttled")
    }

    @Test("F7: a name has eight marks, and the oldest goes")
    func few() async throws {
        let gateway = try GatewayProcess.current
        let (email, session, device) = try await person()
        var newest: String?
        for _ in 0..<8 {
            newest = try SignedInAnswer(try await gateway.passwordSignIn(email, GatewayProcess.password)).device
        }
        let kept = try await gateway.count(
            "select count(*) from known_devices where account_id = \(session.account)::uuid")
        #expect(kept == 8)
        try await flood(email)
        #expect(try await gateway.passwordSignIn(email, GatewayProcess.password, device: device).code == "throttled")
        let known = try await gateway.passwordSignIn(
            email, GatewayProcess.password, device: try #require(newest))
        #expect(try SignedInAnswer(known).device == newest, "A device that is known keeps its mark.")
    }

    @Test("F7, D3: the marks of one name share a bucket")
    func oneBucket() async throws {
        let gateway = try GatewayProcess.current
        let (email, _, device) = try await person()
        let other = try #require(
            try SignedInAnswer(try await gateway.passwordSignIn(email, GatewayProcess.password)).device)
        var codes: [String?] = []
        for number in 0..<14 {
            let mark = number.isMultiple(of: 2) ? device : other
            codes.append(
                try await gateway.patiently {
                    try await gateway.passwordSignIn(email, "not the password", device: mark)
                }.code)
        }
        #expect(codes.count { $0 == "invalid_credentials" } == 10)
        #expect(codes.count { $0 == "throttled" } == 4)
    }

    @Test("F7: a known device is charged for its network, too")
    func network() async throws {
        let changes = ["THROTTLE_ADDRESS_BURST": "6", "THROTTLE_ADDRESS_PER_MINUTE": "1"]
        try await withGateway(changes) { gateway in
            let email = Fresh.email()
            let device = try #require(try await gateway.signUp(email).device)
            try await gateway.anHourLater()
            var codes: [String?] = []
            for _ in 0..<8 {
                codes.append(
                    try await gateway.patiently {
                        try await gateway.passwordSignIn(email, "not the password", device: device)
                    }.code)
            }
            #expect(codes.count { $0 == "invalid_credentials" } == 6)
            #expect(codes.count { $0 == "throttled" } == 2)
        }
    }
}
