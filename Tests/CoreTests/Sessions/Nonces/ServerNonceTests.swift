import Foundation
import Testing

@testable import Sessions
@testable import Vocabulary

@Suite("Server nonces")
struct ServerNonceTests {
    @Test("J-16: valid for ten minutes and not a second longer")
    func expiry() throws {
        let nonces = ServerNonces(keys: try TestKeys.keys("a"))
        let nonce = nonces.issue(at: .noon)
        #expect(try nonces.spending(nonce, at: .noon.addingTimeInterval(599)).until == .noon.addingTimeInterval(600))
        #expect(throws: Rejection.nonceExpired) { try nonces.spending(nonce, at: .noon.addingTimeInterval(600)) }
    }

    @Test(
        "J-16: a nonce from elsewhere is unknown", arguments: ["", "x", "nonce", String(repeating: "A", count: 48)])
    func unknown(_ text: String) throws {
        let nonces = ServerNonces(keys: try TestKeys.keys("a"))
        #expect(throws: Rejection.nonceUnknown) { try nonces.spending(text, at: .noon) }
    }

    @Test("the lifetime cannot be extended, and each nonce is spent under its own name")
    func tampering() throws {
        let nonces = ServerNonces(keys: try TestKeys.keys("a"))
        let nonce = nonces.issue(at: .noon)
        for index in nonce.indices {
            var changed = nonce
            changed.replaceSubrange(index...index, with: nonce[index] == "A" ? "B" : "A")
            #expect(throws: Rejection.nonceUnknown) { try nonces.spending(changed, at: .noon) }
        }
        let other = nonces.issue(at: .noon)
        #expect(try nonces.spending(nonce, at: .noon).digest != nonces.spending(other, at: .noon).digest)
        #expect(try nonces.spending(nonce, at: .noon).digest == nonces.spending(nonce, at: .noon).digest)
    }

    @Test("servers with the same key share them, also across a change of keys")
    func shared() throws {
        let nonce = ServerNonces(keys: try TestKeys.keys("a")).issue(at: .noon)
        #expect(throws: Never.self) { try ServerNonces(keys: try TestKeys.keys("b", "a")).spending(nonce, at: .noon) }
        #expect(throws: Rejection.nonceUnknown) {
            try ServerNonces(keys: try TestKeys.keys("b")).spending(nonce, at: .noon)
        }
    }
}
