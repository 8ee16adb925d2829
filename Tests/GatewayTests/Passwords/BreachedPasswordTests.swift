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
