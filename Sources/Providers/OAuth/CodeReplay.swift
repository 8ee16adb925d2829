import Cryptography
import FoundationEssentials

/// The name of a posted authorization code in the replay ledger.
///
/// Providers spend a code at the first use themselves; the entry is an additional protection.
enum CodeReplay {
    static func digest(of code: String) -> [UInt8] {
        SHA256.hash(code)
    }

    /// Codes live ten minutes at most (RFC 6749 §4.1.2).
    static func end(_ now: Date) -> ReplayEnd {
        .counted(now.addingTimeInterval(600))
    }
}
