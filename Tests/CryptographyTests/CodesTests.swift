import FoundationEssentials
import Testing

@testable import Cryptography

@Suite("Codes and challenges")
struct CodesTests {
    @Test("the challenge is that of RFC 7636 appendix B")
    func pkce() {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        #expect(PKCE.challenge(verifier) == challenge)
        #expect(PKCE.isChallenge(challenge))
        let rest = challenge.dropFirst()
        for wrong in ["", String(rest), challenge + "A", "." + rest, "~" + rest, "=" + rest] {
            #expect(!PKCE.isChallenge(wrong), "\(wrong)")
        }
    }

    @Test("a verifier has 43 to 128 unreserved characters")
    func verifiers() {
        #expect(PKCE.isWellFormed(verifier: PKCE.verifier()))
        #expect(PKCE.verifier() != PKCE.verifier())
        #expect(PKCE.isWellFormed(verifier: String(repeating: "~", count: 43)))
        #expect(PKCE.isWellFormed(verifier: String(repeating: ".", count: 128)))
        for wrong in [String(repeating: "a", count: 42), String(repeating: "a", count: 129)]
            + [
                "+", "=", " ", "é", "/",
            ].map({ String(repeating: "a", count: 43) + $0 })
        {
            #expect(!PKCE.isWellFormed(verifier: wrong), "\(wrong)")
        }
    }

    @Test(
        "a code has six digits and comes from its random number",
        arguments: [
            ([0, 0, 0, 0], "000000"), ([0, 0, 0, 7], "000007"), ([0, 0x0F, 0x42, 0x3F], "999999"),
            ([0, 0x0F, 0x42, 0x40], "000000"), ([0x07, 0x5B, 0xCD, 0x15], "456789"),
        ] as [([UInt8], String)])
    func codes(random: [UInt8], code: String) {
        #expect(OneTimeCode.sixDigits(RandomBytes { _ in random }) == code)
    }

    @Test("numbers beyond the last whole million are drawn again")
    func fairCodes() {
        // 4,294,000,000 is 0xFFF13D80.
        let draws = RandomSequence([[0xFF, 0xF1, 0x3D, 0x80], [0xFF, 0xFF, 0xFF, 0xFF], [0xFF, 0xF1, 0x3D, 0x7F]])
        #expect(OneTimeCode.sixDigits(RandomBytes { _ in draws.next() }) == "999999")
    }

    @Test("the digest of a code is bound to flow, code and key")
    func digests() throws {
        let flow = try #require(UUID(uuidString: "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"))
        let other = try #require(UUID(uuidString: "017f22e2-79b0-7cc3-98c4-dc0c0c073990"))
        let digest = OneTimeCode.digest("123456", flow: flow, key: [1])
        #expect(OneTimeCode.digest("123456", flow: flow, key: [1]) == digest)
        #expect(OneTimeCode.digest("123457", flow: flow, key: [1]) != digest)
        #expect(OneTimeCode.digest("123456", flow: other, key: [1]) != digest)
        #expect(OneTimeCode.digest("123456", flow: flow, key: [2]) != digest)
    }
}
