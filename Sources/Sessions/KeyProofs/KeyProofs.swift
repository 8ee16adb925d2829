package import Cryptography
package import Foundation
package import Logging
package import Postgres
package import Vocabulary

/// Checks DPoP proofs (RFC 9449), and spends each.
package struct KeyProofs: Sendable {
    private let ledger: SpentTokens
    private let nonces: KeyProofNonces
    private let origin: String
    private let now: @Sendable () -> Date

    /// The names of the accepted algorithms.
    package static let algorithms = KeyProof.algorithms.map(\.rawValue).sorted()

    /// - Parameter origin: the gateway's public address.
    package init(
        pool: ConnectionPool, keys: MasterKeys, origin: String, now: @escaping @Sendable () -> Date, logger: Logger
    ) {
        (ledger, self.origin, self.now) = (SpentTokens(pool: pool, logger: logger), origin, now)
        nonces = KeyProofNonces(keys: keys)
    }

    /// The nonce for the next proof.
    package var nonce: String { nonces.nonce(at: now()) }

    /// Spends a proof, and returns the thumbprint of its key.
    ///
    /// - Parameters:
    ///   - text: the header's value.
    ///   - path: of the request, without its query.
    ///   - token: the access token that the request presents.
    ///   - needsNonce: whether a proof without a nonce is refused; a stale one always is.
    /// - Throws: `keyProofInvalid` also for a proof that was used before, `keyProofNonceDue` with the nonce to use.
    package func key(
        of text: String, method: String, path: String, with token: String?, needsNonce: Bool
    ) async throws(Rejection) -> String {
        let (time, request) = (now(), ProvedRequest(method: method, path: path, at: origin))
        guard let proof = KeyProof(text, for: request, with: token, at: time) else { throw .keyProofInvalid }
        guard proof.nonce.map({ nonces.accepts($0, at: time) }) ?? !needsNonce else {
            throw .keyProofNonceDue(nonces.nonce(at: time))
        }
        guard try await ledger.spend(proof.digest, for: proof.life) else { throw .keyProofInvalid }
        return proof.thumbprint
    }
}
