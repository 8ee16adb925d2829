package import Cryptography
package import FoundationEssentials

/// Signs requests to the operator's services, and checks their requests to us.
///
/// `Gateway-Signature: t=<Unix seconds>,v1=<hex of HMAC-SHA-256 over "<t>.<body>">`. The signature covers the time, so
/// that an old request cannot be replayed.
package enum WebhookSignature {
    package static let headerName = "Gateway-Signature"
    /// The allowed clock difference between both servers, in seconds.
    private static let tolerance = 300

    package static func header(of body: [UInt8], secret: Secret, at now: Date) -> (name: String, value: String) {
        let time = String(Int(now.timeIntervalSince1970))
        return (headerName, "t=\(time),v1=\(Hex.encode(code(time, body, secret)))")
    }

    /// The reason why a request is not authentic.
    package enum Fault: Error, Equatable, Sendable {
        case invalid
        /// Signed more than five minutes in the past or future.
        case outOfTime
    }

    /// Checks the value of the header against the bytes of the body.
    package static func check(
        _ header: String, of body: [UInt8], secret: Secret, at now: Date
    ) throws(Fault) {
        let parts = header.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].hasPrefix("t="), parts[1].hasPrefix("v1=") else { throw .invalid }
        let time = String(parts[0].dropFirst(2))
        // As ``header(of:secret:at:)`` writes it: no sign, and no more digits than a time has.
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
