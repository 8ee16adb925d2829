package import HTTPTypes
package import Hummingbird
package import Sessions
package import Vocabulary

extension DoorCall {
    /// Checks the DPoP proof of the request, if it has one, and keeps its key (RFC 9449 §4.3).
    ///
    /// - Parameter needsNonce: see ``KeyProofs/key(of:method:path:with:needsNonce:)``.
    /// - Throws: `keyProofInvalid` also for a token under the scheme `DPoP` without a proof.
    package mutating func prove(
        _ request: Request, by proofs: KeyProofs, needsNonce: Bool = false
    ) async throws(Rejection) {
        let token = request.headers.credentials(.dpop)
        guard request.headers.contains(.keyProof) else {
            if token != nil { throw .keyProofInvalid }
            return
        }
        // Several headers are no proof (§4.3 check 1).
        let sent = request.headers[values: .keyProof]
        guard sent.count == 1 else { throw .keyProofInvalid }
        caller.key = try await proofs.key(
            of: sent[0], method: request.method.rawValue, path: request.uri.path, with: token, needsNonce: needsNonce)
    }
}

extension HTTPField.Name {
    /// RFC 9449 §4.1.
    static let keyProof = known("DPoP")
    /// RFC 9449 §8.
    package static let keyProofNonce = known("DPoP-Nonce")
}
