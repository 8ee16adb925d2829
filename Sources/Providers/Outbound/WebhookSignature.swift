package import Cryptography
package import FoundationEssentials

/// Signs what is posted to services of the operator's, and checks what they post.
///
/// `Gateway-Signature: t=<Unix seconds>,v1=<hex of HMAC-SHA-256 over "<t>.<body>">`: the time is part of what is signed, so
/// that an old call can't be played again.
package enum WebhookSignature {
    package static let headerName = "Gateway-Signature"
    /// How far the clocks of both sides may be apart, in seconds.
    private static let tolerance = 300

    static func header(of body: [UInt8], secret: Secret, at now: Date) -> (name: String, value: String) {
        let time = String(Int(now.timeIntervalSince1970))
        return (headerName, "t=\(time),v1=\(Hex.encode(code(time, body, secret)))")
    }

    /// Why a call is not believed.
    package enum Fault: Error, Equatable, Sendable {
        case invalid
        /// Signed, and more than five minutes ago or ahead.
        case outOfTime
    }

    /// Checks the value of the header against the bytes of the body.
    package static func check(
        _ header: String, of body: [UInt8], secret: Secret, at now: Date
    ) throws(Fault) {
        let parts = header.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].hasPrefix("t="), parts[1].hasPrefix("v1=") else { throw .invalid }
        let time = String(parts[0].dropFirst(2))
        // As ``header(of:secret:at:)`` writes it: no sign, no more digits than a time has.
        guard let seconds = Int(time), (1...12).contains(time.utf8.count),
            String(seconds).utf8.elementsEqual(time.utf8),
            ConstantTime.equal(
                Array(parts[1].dropFirst(3).utf8), Array(Hex.encode(code(time, body, secret)).utf8))
        else { throw .invalid }
        guard abs(Int(now.timeIntervalSince1970) - seconds) <= tolerance else { throw .outOfTime }
    }

    private static func code(_ time: String, _ body: [UInt8], _ secret: Secret) -> [UInt8] {
        HMACSHA256.code(Array("\(time).".utf8) + body, key: secret.revealed)
    }
}
