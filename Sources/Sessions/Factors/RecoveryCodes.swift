import Cryptography
import Foundation

/// The codes that a person writes down for the day when no second factor is at hand: ten, each good once.
struct RecoveryCodes: Sendable {
    static let count = 10
    private let keys: [[UInt8]]
    private let random: RandomBytes

    init(keys: MasterKeys, random: RandomBytes = .system) {
        self.keys = keys.derivedAll("recovery code")
        self.random = random
    }

    /// Ten characters of Base32 each, 50 bits, with a hyphen in the middle.
    func make() -> [String] {
        (0..<Self.count).map { _ in
            let text = Base32.encode(random(7)).prefix(10).lowercased()
            return "\(text.prefix(5))-\(text.suffix(5))"
        }
    }

    /// What is kept of a code.
    func digest(_ code: String, account: UUID) -> [UInt8] { digests(code, account: account)[0] }

    /// What may have been kept of a code, under each master key; capitals, hyphens and spaces make no difference.
    func digests(_ typed: String, account: UUID) -> [[UInt8]] {
        let letters = typed.utf8.filter { $0 != 0x2D && $0 != 0x20 }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return keys.map { HMACSHA256.code(account.bytes + letters, key: $0) }
    }
}
