/// Time-based codes (RFC 6238) of authenticator apps: HMAC-SHA-1, six digits, steps of 30 seconds.
package enum TOTP {
    /// Seconds for which an app shows a code.
    package static let period = 30
    package static let digits = 6
    /// The recommended length of a secret (RFC 4226 §4).
    package static let secretLength = 20

    /// The code of a time step (RFC 4226 §5.3).
    package static func code(secret: [UInt8], step: Int) -> String {
        let counter = (0..<8).reversed().map { UInt8(truncatingIfNeeded: step >> ($0 * 8)) }
        let mac = HMACSHA1.code(counter, key: secret)
        let offset = Int(mac[19] & 0x0F)
        let number = mac[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
        let text = String(number % 1_000_000)
        return String(repeating: "0", count: digits - text.utf8.count) + text
    }

    /// The time step of a typed code: the present one, or a neighbour to allow for clock differences (RFC 6238 §5.2).
    ///
    /// Nil for a wrong code; a step up to `usedStep` was used before and counts as wrong.
    package static func step(of typed: String, secret: [UInt8], at seconds: Int, after usedStep: Int?) -> Int? {
        let now = seconds / period
        var found: Int?
        for step in [now - 1, now, now + 1] where step > usedStep ?? -1 {
            // No early exit, so that the duration does not reveal the matching step.
            if ConstantTime.equal(Array(code(secret: secret, step: step).utf8), Array(typed.utf8)) { found = step }
        }
        return found
    }

    /// The text of a QR code for an authenticator app (the Key URI format).
    ///
    /// - Parameters:
    ///   - issuer: the service's name.
    ///   - account: the text that distinguishes accounts in the app.
    package static func uri(secret: [UInt8], issuer: String, account: String) -> String {
        uri(encodedSecret: Base32.encode(secret), issuer: issuer, account: account)
    }

    /// The same for a secret in Base32.
    package static func uri(encodedSecret secret: String, issuer: String, account: String) -> String {
        let label = "\(escaped(issuer)):\(escaped(account))"
        return "otpauth://totp/\(label)?secret=\(escaped(secret))&issuer=\(escaped(issuer))"
            + "&algorithm=SHA1&digits=\(digits)&period=\(period)"
    }

    /// Everything but unreserved characters (RFC 3986 §2.3) as `%XX`; a colon would end the issuer early.
    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: String(Unicode.Scalar(byte))
            default: "%" + Hex.encode([byte]).uppercased()
            }
        }.joined()
    }
}
