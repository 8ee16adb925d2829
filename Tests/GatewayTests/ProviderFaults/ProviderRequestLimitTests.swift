import JSON
import Postgres
import Testing

/// Tokens and codes that cost a request to their provider.
///
/// The gateways here allow a network three at once, and one more per minute.
@Suite("Requests to providers in our name")
struct ProviderRequestLimitTests {
    private static let limits: [String: String?] = ["THROTTLE_ADDRESS_BURST": "9", "THROTTLE_ADDRESS_PER_MINUTE": "3"]

    private func postJunk(_ gateway: GatewayProcess) async throws -> TestAnswer {
        try await gateway.signIn("amazon", credential: ["access_token": .string("Atza|\(Fresh.text())")])
    }

    @Test(
        "J-29: an address that posts invalid credentials is refused without a provider request, at every door"
    )
    func junk() async throws {
        try await withGateway(Self.limits, ownsSimulator: true) { gateway in
            let signedIn = try await gateway.session("google")
            for _ in 0..<3 {
                try await gateway.expectRefusal(
                    try await postJunk(gateway), 401, "upstream_invalid_token", provider: "amazon")
            }
            try await gateway.expectRefusal(try await postJunk(gateway), 429, "throttled", provider: "amazon")
            #expect(try await gateway.simulator.requests("amazon", "tokeninfo") == 3)

            for provider in ["amazon", "apple", "google"] {
                let minted = try await gateway.simulator.mint(provider)
                let answer = try await gateway.signIn(provider, credential: minted.codeCredential())
                try await gateway.expectRefusal(answer, 429, "throttled", provider: provider)
                #expect(try await gateway.simulator.requests(provider, "token") == 0)
            }
            let link = try await gateway.link(
                try await gateway.simulator.mint("amazon"), bearer: signedIn.accessToken)
            try await gateway.expectRefusal(link, 429, "throttled", action: "link_identity", provider: "amazon")
            #expect(try await gateway.simulator.requests("amazon", "tokeninfo") == 3)
            // A local check causes no request.
            for provider in ["apple", "google"] { _ = try await gateway.session(provider) }
        }
    }

    @Test("J-29: a successful sign-in or link is not charged and needs no statement")
    func people() async throws {
        try await withGateway(Self.limits) { gateway in
            // A first sign-in may be charged as a claim on an address (N1); a known identity is not.
            let known = ["amazon", "apple", "google", "acme"].map { ($0, JSON.string(Fresh.subject($0))) }
            for (provider, subject) in known { _ = try await gateway.session(provider, ["subject": subject]) }
            let claims = try await gateway.count("select count(*) from throttles")
            for _ in 0..<4 { _ = try await gateway.session("amazon", ["subject": known[0].1]) }
            for (provider, subject) in known {
                let minted = try await gateway.simulator.mint(provider, ["subject": subject])
                _ = try SignedInAnswer(try await gateway.signIn(provider, credential: minted.codeCredential()))
            }
            #expect(try await gateway.count("select count(*) from throttles") == claims)
            let owner = try await gateway.session("google")
            for _ in 0..<4 {
                let minted = try await gateway.simulator.mint("amazon")
                #expect(try await gateway.link(minted, bearer: owner.accessToken).status == 201)
            }
        }
    }

    @Test("J-29: a used token costs as much as an invalid one, and a malformed one costs nothing")
    func used() async throws {
        try await withGateway(Self.limits) { gateway in
            for text in ["Atzr|refresh", "a.b.c", "Atza|", "Atza|a b"] {
                let answer = try await gateway.signIn("amazon", credential: ["access_token": .string(text)])
                try await gateway.expectRefusal(answer, 400, "invalid_request", provider: "amazon")
            }
            for _ in 0..<4 {
                let answer = try await gateway.signIn("amazon", credential: ["authorization_code": "no redirect"])
                try await gateway.expectRefusal(answer, 400, "invalid_request", provider: "amazon")
            }
            let minted = try await gateway.simulator.mint("amazon")
            _ = try SignedInAnswer(try await gateway.signIn(minted))
            for _ in 0..<3 {
                try await gateway.expectRefusal(
                    try await gateway.signIn(minted), 401, "token_replayed", provider: "amazon")
            }
            try await gateway.expectRefusal(try await gateway.signIn(minted), 429, "throttled", provider: "amazon")
        }
    }

    @Test("J-29: made-up codes at a callback are requests in vain too")
    func callbacks() async throws {
        try await withGateway(Self.limits, ownsSimulator: true) { gateway in
            for status in [401, 401, 401, 429] {
                let browser = try await PageBrowser.open(gateway, "/login")
                let back = try await gateway.simulator.authorize(try await browser.start("google"))
                #expect(try await browser.comeBack(back.with("code", "made-up")).status == status)
            }
            #expect(try await gateway.simulator.requests("google", "token") == 3)
        }
    }

    @Test("J-16: a nonce with an Amazon code has no effect")
    func nonceBesideAmazonCode() async throws {
        try await withGateway { gateway in
            let minted = try await gateway.simulator.mint("amazon")
            let answer = try await gateway.signIn("amazon", credential: minted.codeCredential(nonce: "none-of-ours"))
            #expect(try SignedInAnswer(answer).isNewAccount)
        }
    }
}
