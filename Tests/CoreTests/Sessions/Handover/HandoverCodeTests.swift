import Cryptography
import Foundation
import Testing

@testable import Clients
@testable import Sessions

@Suite("Handover codes")
struct HandoverCodeTests {
    private static let (uri, challenge) = ("https://rp.example/back", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")

    private static func code(
        _ codes: HandoverCodes, challenge: String? = challenge, key: String? = nil, nonce: String? = nil
    ) -> HandoverCode {
        codes.make(session: UUID(), CodeBinding(redirectURI: uri, challenge: challenge, key: key), nonce: nonce)
    }

    @Test(
        "an issued code is read back with its session and the nonce of the app",
        arguments: [nil, "n-0S6_WzA2Mj", String(repeating: "n", count: TokenOrder.longestNonce)])
    func roundTrip(nonce: String?) throws {
        let codes = HandoverCodes(keys: try TestKeys.keys("a"))
        let code = Self.code(codes, nonce: nonce)
        let read = try #require(codes.parse(codes.text(code)))
        #expect(read == code && read.nonce == nonce)
    }

    @Test("a code with any changed character is unknown")
    func tampering() throws {
        let codes = HandoverCodes(keys: try TestKeys.keys("a"))
        let text = codes.text(Self.code(codes, nonce: "n"))
        for index in text.indices {
            var changed = text
            changed.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
            #expect(codes.parse(changed) == nil, "\(text.distance(from: text.startIndex, to: index))")
        }
        for other in ["", text + "A", String(text.dropLast()), "hc_", "hc_" + String(repeating: "A", count: 2_000)] {
            #expect(codes.parse(other) == nil)
        }
    }

    @Test("a code survives a change of the master key, as long as the old key is kept")
    func keyChange() throws {
        let old = HandoverCodes(keys: try TestKeys.keys("a"))
        let text = old.text(Self.code(old))
        #expect(HandoverCodes(keys: try TestKeys.keys("b", "a")).parse(text) != nil)
        #expect(HandoverCodes(keys: try TestKeys.keys("b")).parse(text) == nil)
    }

    @Test(
        "a code is bound to the address, the challenge, and the key if it names one",
        arguments: [
            (uri, challenge, nil, nil, true), (uri, challenge, nil, "key", true), (uri, challenge, "key", "key", true),
            (uri, challenge, "key", "other", false), (uri, challenge, "key", nil, false),
            (uri + "/", challenge, nil, nil, false), (uri, nil, nil, nil, false),
            (uri, String(challenge.reversed()), nil, nil, false),
        ] as [(String, String?, String?, String?, Bool)])
    func binding(_ uri: String, _ challenge: String?, _ key: String?, _ shownKey: String?, _ isBound: Bool) throws {
        let code = Self.code(HandoverCodes(keys: try TestKeys.keys("a")), key: key)
        #expect(code.isBound(to: CodeBinding(redirectURI: uri, challenge: challenge, key: shownKey)) == isBound)
    }

    @Test("a code without a challenge takes no verifier")
    func unasked() throws {
        let code = Self.code(HandoverCodes(keys: try TestKeys.keys("a")), challenge: nil)
        #expect(code.isBound(to: CodeBinding(redirectURI: Self.uri, challenge: nil)))
        #expect(!code.isBound(to: CodeBinding(redirectURI: Self.uri, challenge: Self.challenge)))
    }
}
