package import FoundationEssentials

/// Codes that a user reads in a message and types.
package enum OneTimeCode {
    /// Six digits, each of the million equally likely: numbers beyond the last whole million are drawn again.
    package static func sixDigits(_ random: RandomBytes) -> String {
        let million: UInt32 = 1_000_000
        let fair = UInt32.max / million * million
        var number: UInt32
        repeat {
            number = random(4).reduce(0) { $0 << 8 | UInt32($1) }
        } while number >= fair
        let digits = String(number % million)
        return String(repeating: "0", count: 6 - digits.utf8.count) + digits
    }

    /// The stored digest of a code.
    ///
    /// It is bound to the flow, so that a code is invalid in another flow. It is keyed, because plain digests of a
    /// million codes are quickly enumerated.
    package static func digest(_ code: String, flow: UUID, key: [UInt8]) -> [UInt8] {
        HMACSHA256.code(Array("one-time code".utf8) + [0] + flow.bytes + Array(code.utf8), key: key)
    }
}
