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

    /// Makes codes of ten Base32 characters each, 50 bits, with a hyphen in the middle.
    func make() -> [String] {
        (0..<Self.count).map { _ in
            let text = Base32.encode(random(7)).prefix(10).lowercased()
            return "\(text.prefix(5))-\(text.suffix(5))"
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
