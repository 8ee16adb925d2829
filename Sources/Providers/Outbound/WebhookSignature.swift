import Cryptography
import FoundationEssentials

/// Signs what is posted to services of the operator's.
///
/// `Gateway-Signature: t=<Unix seconds>,v1=<hex of HMAC-SHA-256 over "<t>.<body>">`: the time is part of what is signed, so
/// that an old call can't be played again.
enum WebhookSignature {
    static func header(of body: [UInt8], secret: Secret, at now: Date) -> (name: String, value: String) {
        let time = String(Int(now.timeIntervalSince1970))
        let code = HMACSHA256.code(Array("\(time).".utf8) + body, key: secret.revealed)
        return ("Gateway-Signature", "t=\(time),v1=\(Hex.encode(code))")
    }
}
