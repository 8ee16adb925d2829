import Cryptography

/// The proof that an address belongs to its attacker.
package enum Ownership {
    package static let path = "/.well-known/login-gateway-attack"

    /// A fresh key, which the attacker keeps.
    package static func key() -> String { Base64URL.encode(RandomBytes.system(24)) }

    /// What the owner publishes at ``path``.
    ///
    /// It does not contain the key, so a stranger who reads the file can't attack with it.
    package static func challenge(of key: String) -> String {
        Base64URL.encode(SHA256.hash("login-gateway-attack \(key)"))
    }

    /// Whether the target publishes the challenge of this key.
    package static func isProved(by key: String, at target: Target) async throws -> Bool {
        let answer = try await target.send(.get(path))
        return answer.status == 200 && answer.text.split(whereSeparator: \.isWhitespace) == [challenge(of: key)[...]]
    }
}
