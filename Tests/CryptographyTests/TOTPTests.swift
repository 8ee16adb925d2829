import Cryptography
import Testing

@Suite struct TOTPTests {
    /// RFC 6238, appendix B: the secret of 20 bytes, and the last six of the eight digits.
    static let secret = Array("12345678901234567890".utf8)

    @Test(
        "the codes of RFC 6238",
        arguments: [
            (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
            (2_000_000_000, "279037"), (20_000_000_000, "353130"),
        ])
    func standard(seconds: Int, code: String) {
        #expect(TOTP.code(secret: Self.secret, step: seconds / 30) == code)
    }

    /// RFC 4226, appendix D.
    @Test("the codes of RFC 4226", arguments: zip(0..<6, ["755224", "287082", "359152", "969429", "338314", "254676"]))
    func counters(step: Int, code: String) {
        #expect(TOTP.code(secret: Self.secret, step: step) == code)
    }

    @Test("a code of the adjacent time steps is accepted, one of two steps away is not", arguments: -3...3)
    func window(distance: Int) {
        let now = 1_234_567_890
        let typed = TOTP.code(secret: Self.secret, step: now / 30 + distance)
        let step = TOTP.step(of: typed, secret: Self.secret, at: now, after: nil)
        #expect(step == (abs(distance) <= 1 ? now / 30 + distance : nil))
    }

    @Test("a used or older code is wrong")
    func used() {
        let now = 1_234_567_890
        let typed = TOTP.code(secret: Self.secret, step: now / 30)
        #expect(TOTP.step(of: typed, secret: Self.secret, at: now, after: now / 30) == nil)
        #expect(TOTP.step(of: typed, secret: Self.secret, at: now, after: now / 30 + 1) == nil)
        #expect(TOTP.step(of: typed, secret: Self.secret, at: now, after: now / 30 - 1) == now / 30)
    }

    @Test("a malformed code is wrong", arguments: ["", "28708", "2870822", "28708a", "２８７０８２", " 287082"])
    func malformed(typed: String) {
        #expect(TOTP.step(of: typed, secret: Self.secret, at: 59, after: nil) == nil)
    }

    @Test("an app reads issuer, account and secret from the URI")
    func uri() {
        #expect(
            TOTP.uri(secret: Self.secret, issuer: "Ann & Co: login", account: "ann@example.com")
                == "otpauth://totp/Ann%20%26%20Co%3A%20login:ann%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Ann%20%26%20Co%3A%20login&algorithm=SHA1&digits=6&period=30"
        )
    }

    /// RFC 4648 §10, without the padding.
    @Test(
        "the Base32 of RFC 4648",
        arguments: [
            ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI"),
        ])
    func base32(text: String, encoded: String) {
        #expect(Base32.encode(Array(text.utf8)) == encoded)
    }
}
