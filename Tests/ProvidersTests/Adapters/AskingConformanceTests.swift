import JSON
import Outbound
import Providers
import TestSupport
import Testing

/// What holds for every adapter that asks a provider's API for the user of a code.
@Suite("Providers that are asked for the user")
struct AskingConformanceTests {
    @Test("only codes sign in: every posted credential is refused", arguments: RedirectConformance.unsigned)
    func codesOnly(about: RedirectConformance) throws {
        #expect(!(try RedirectStage(about).provider is any TokenSignIn))
    }

    @Test(
        "an access token with illegal header characters is never sent", arguments: RedirectConformance.unsigned,
        unsendableTokens)
    func accessToken(about: RedirectConformance, text: String) async throws {
        let stage = try RedirectStage(about)
        try stage.sell(members: ["access_token": .string(text)])
        #expect(await stage.redeem().word == "unavailable")
        #expect(stage.far.calls.count == 1)
    }

    @Test(
        "all requests of one sign-in share one deadline",
        arguments: RedirectConformance.unsigned + [.facebook, .line])
    func deadline(about: RedirectConformance) async throws {
        let stage = try RedirectStage(about)
        let (clock, tokens) = (stage.clock, JSON.object(about.tokens).text)
        stage.exchange { _ in
            clock.advance(by: .seconds(6))
            return .success(.json(tokens))
        }
        #expect(await stage.redeem() == .failure(.unavailable(reason: "upstream_timeout", retryAfter: 5)))
        #expect(stage.far.calls.count == 1)
    }
}
