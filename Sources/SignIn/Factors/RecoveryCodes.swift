import Cryptography
import Foundation

/// Makes and digests the ten recovery codes of an account, each valid once.
struct RecoveryCodes: Sendable {
    static let count = 10
    private let keys: [[UInt8]]
    private let random: RandomBytes

    init(keys: MasterKeys, random: RandomBytes = .system) {
        self.keys = keys.derivedAll("recovery code")
        self.random = random
    }

    /// Makes codes of 24 Base32 characters each, in groups of four.
    ///
    /// Their 120 bits need no slow hash (NIST SP 800-63B-4 §3.1.2.2).
    func make() -> [String] {
        (0..<Self.count).map { _ in
            let letters = Array(Base32.encode(random(15)).lowercased())
            return stride(from: 0, to: letters.count, by: 4).map { String(letters[$0..<$0 + 4]) }.joined(separator: "-")
        }
    }

    /// Returns the stored digest of a code.
    func digest(_ code: String, account: UUID) -> [UInt8] { digests(code, account: account)[0] }

    /// Returns the possible stored digests, under each master key, of a code as it is shown or as it was typed.
    func digests(_ code: String, account: UUID) -> [[UInt8]] {
        let letters = Array((CodeShape.recovery.code(in: code) ?? code).utf8)
        return keys.map { HMACSHA256.code(account.bytes + letters, key: $0) }
    }
}
