import Postgres
import Testing

/// The limits of new guests: two an hour from one network here, and three for the app.
@Suite(
    "The throttle of guests",
    .gateway([
        "CLIENT_GUESTS": "true", "THROTTLE_MAIL_ADDRESS_PER_HOUR": "2", "THROTTLE_MAIL_CLIENT_PER_HOUR": "3",
        "TRUSTED_PROXIES": "127.0.0.1",
    ]))
struct GuestThrottleTests {
    @Test("L-22: a network gets few guests, an app gets some more, and a refused one leaves no account")
    func limits() async throws {
        let gateway = try GatewayProcess.current
        for _ in 0..<2 { _ = try SignedInAnswer(try await gateway.guestSignIn(from: "192.0.2.1")) }
        try await gateway.expectRefusal(
            try await gateway.guestSignIn(from: "192.0.2.1"), 429, "throttled", provider: "guest")
        _ = try SignedInAnswer(try await gateway.guestSignIn(from: "192.0.2.2"))
        try await gateway.expectRefusal(
            try await gateway.guestSignIn(from: "192.0.2.3"), 429, "throttled", provider: "guest")
        #expect(try await gateway.count("select count(*) from accounts where guest") == 3)
    }
}
