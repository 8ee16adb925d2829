import Cryptography
import Foundation
import JSON
import Sessions
import Testing

/// A code works once: its tokens are lost if the nonce cannot sign in.
@Suite("Codes with nonces")
struct CodeBesideNonceTests {
    @Test(
        "J-16: a code with an expired or unknown nonce is not exchanged", arguments: ["apple", "google"])
    func unspent(provider: String) async throws {
        let keys = Configurations.masterKeys
        let expired = ServerNonces(keys: try MasterKeys(keys)).issue(at: Date(timeIntervalSinceNow: -601))
        try await withGateway(["MASTER_KEYS": keys], ownsSimulator: true) { gateway in
            for (nonce, code) in [(expired, "nonce_expired"), ("none-of-ours", "nonce_unknown")] {
                let minted = try await gateway.simulator.mint(provider, ["nonce": .string(nonce)])
                let answer = try await gateway.signIn(provider, credential: minted.codeCredential(nonce: nonce))
                try await gateway.expectRefusal(answer, 401, code, provider: provider)
            }
            #expect(try await gateway.simulator.requests(provider, "token") == 0)
            let nonce = try await gateway.nonce()
            let minted = try await gateway.simulator.mint(provider, ["nonce": .string(nonce)])
            _ = try SignedInAnswer(
                try await gateway.signIn(provider, credential: minted.codeCredential(nonce: nonce)))
            #expect(try await gateway.simulator.requests(provider, "token") == 1)
        }
    }
}
