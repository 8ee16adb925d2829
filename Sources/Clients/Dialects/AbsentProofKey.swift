import Cryptography

/// Stands for the proof key of a request without one.
///
/// Its verifier is public, so such a code is bound to the secret of its app alone. A claim with another verifier is
/// refused, so nobody can take the proof key off a request.
package enum AbsentProofKey {
    static let verifier = "a-code-without-a-proof-key-is-bound-to-the-secret"
    package static let challenge = PKCE.challenge(verifier)
}
