import Foundation

/// Proves the possession of one client's key, and knows the newest nonce of each server (RFC 9449).
actor Prover {
    nonisolated let signer: any ProofSigning
    private let storage: SessionStorage
    private let time: TimeSource
    private var key: ProofKey?
    private var nonces: [String: String] = [:]

    init(signer: any ProofSigning, storage: SessionStorage, time: TimeSource) {
        (self.signer, self.storage, self.time) = (signer, storage, time)
    }

    /// The thumbprint of the key; nil if there is none yet, or none any more.
    func thumbprint() async throws -> String? { try await stored()?.thumbprint }

    /// A proof for one request; its key is made if there is none.
    func proof(for method: String, _ url: URL, token: Secret?) async throws -> String {
        let key = try await present()
        let ath = token.map { Base64URL.encode(signer.sha256(Data($0.value.utf8))) }
        let proof = Proof(method: method, url: url, time: time.now(), ath: ath, nonce: nonces[url.origin])
        return try guarded { try proof.signed(with: key, by: signer) }
    }

    /// Keeps the nonce of an answer for the next proof to the same server (RFC 9449 section 8.2).
    func remember(_ nonce: String, of url: URL) { nonces[url.origin] = nonce }

    /// A stored key that does not work here is a lost one, such as one of another device's Secure Enclave.
    private func stored() async throws -> ProofKey? {
        if let key { return key }
        let found = try await storage.proofKey().flatMap { try? ProofKey($0, signer) }
        // Another call may have found or made one during the wait.
        if key == nil { key = found }
        return key
    }

    private func present() async throws -> ProofKey {
        if let key = try await stored() { return key }
        let made = try guarded { try ProofKey(try signer.newKey(), signer) }
        // Before the wait, so that calls at the same time make one key.
        key = made
        do {
            try await storage.save(proofKey: made.bytes)
        } catch {
            key = nil
            throw error
        }
        return made
    }

    private func guarded<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch { throw GatewayError.storage(error) }
    }
}
