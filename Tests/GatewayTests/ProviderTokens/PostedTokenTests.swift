import JSON
import Testing

/// Posted credentials of providers with several kinds of token, through the real server.
@Suite(.gateway())
struct PostedTokenTests {
    private func subject() -> JSON { .string("1\(UInt64.random(in: 1...999_999_999_999))") }

    @Test("Facebook's access token signs in once, and its user keeps the account")
    func accessToken() async throws {
        let gateway = try GatewayProcess.current
        let subject = subject()
        var accounts: Set<String> = []
        for _ in 1...2 {
            let minted = try await gateway.simulator.mint("facebook", ["subject": subject])
            let credential: JSONObject = ["access_token": minted.members["access_token"] ?? .null]
            let answer = try await gateway.signIn("facebook", credential: credential)
            #expect(answer.status == 200, "\(answer.text)")
            accounts.insert(answer.json["account"]?["id"]?.string ?? "")
            let again = try await gateway.signIn("facebook", credential: credential)
            #expect(again.json["error"]?["code"] == "token_replayed" || again.text.contains("token_replayed"))
        }
        #expect(accounts.count == 1)
    }

    @Test("J-24: Facebook's token for another app, or a made-up one, is refused")
    func foreignApp() async throws {
        let gateway = try GatewayProcess.current
        let minted = try await gateway.simulator.mint("facebook", ["subject": subject(), "client_id": "1002"])
        let foreign = try await gateway.signIn(
            "facebook", credential: ["access_token": minted.members["access_token"] ?? .null])
        #expect(foreign.status == 401 && foreign.text.contains("audience_mismatch"), "\(foreign.text)")
        let unknown = try await gateway.signIn("facebook", credential: ["access_token": "EAAunknown"])
        #expect(unknown.status == 401 && unknown.text.contains("upstream_invalid_token"), "\(unknown.text)")
    }

    @Test("an ID token of Limited Login and one of LINE's SDK sign in", arguments: ["facebook", "line"])
    func idToken(provider: String) async throws {
        let gateway = try GatewayProcess.current
        let nonce = try await gateway.nonce()
        let minted = try await gateway.simulator.mint(provider, ["subject": subject(), "nonce": .string(nonce)])
        let answer = try await gateway.signIn(minted, nonce: nonce)
        #expect(answer.status == 200, "\(answer.text)")
        let forged = try await gateway.simulator.mint(provider, ["subject": subject(), "signing": "unpublished-key"])
        #expect(try await gateway.signIn(forged).status == 401)
    }

    @Test("GitHub, Discord and X accept no posted credential", arguments: ["github", "discord", "x"])
    func browsersOnly(provider: String) async throws {
        let gateway = try GatewayProcess.current
        let minted = try await gateway.simulator.mint(provider, ["subject": subject()])
        let answer = try await gateway.signIn(provider, credential: minted.codeCredential())
        #expect((400..<500).contains(answer.status), "\(answer.text)")
    }
}
