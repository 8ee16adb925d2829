import COpenSSL

/// A key pair: signs, and can be stored.
package final class PrivateKey: Sendable {
    /// The public half.
    package let publicKey: PublicKey
    private let handle: KeyHandle
    private let encoded: Secret

    private init(_ handle: KeyHandle) throws(OpenSSLError) {
        self.handle = handle
        publicKey = try PublicKey(handle)
        encoded = try handle.pkcs8()
    }

    package static func generateP256() throws(OpenSSLError) -> PrivateKey {
        try PrivateKey(KeyHandle.generateEC(.p256))
    }

    /// Takes some tenths of a second for 2048 bits.
    ///
    /// Fewer bits are refused.
    package static func generateRSA(bits: Int) throws(OpenSSLError) -> PrivateKey {
        try PrivateKey(KeyHandle.generateRSA(bits: bits))
    }

    static func generate(_ curve: Curve) throws(OpenSSLError) -> PrivateKey {
        try PrivateKey(KeyHandle.generateEC(curve))
    }

    /// Reads an unencrypted private key in PEM: PKCS #8, as Apple issues, or the older forms for RSA and EC.
    package convenience init(pem: String) throws(OpenSSLError) {
        try self.init(KeyHandle.reading(pem: pem))
    }

    /// Reads exactly one unencrypted PKCS #8 document (RFC 5958).
    package convenience init(pkcs8DER: [UInt8]) throws(OpenSSLError) {
        try self.init(KeyHandle.reading(pkcs8: pkcs8DER))
    }

    /// The key pair as PKCS #8, unencrypted: seal it before it is stored.
    package var pkcs8DER: [UInt8] { encoded.revealed }

    /// The same in PEM.
    package var pem: String { PEM.encode(pkcs8DER, label: "PRIVATE KEY") }

    /// A signature in the form of JOSE: raw `r‖s` for ES….
    ///
    /// Two ES… signatures over one message differ: OpenSSL derives each nonce from the key, the digest and random
    /// bytes.
    ///
    /// - Throws: `unsuitableKey` when the algorithm does not fit the key.
    package func sign(_ message: [UInt8], algorithm: SignatureAlgorithm) throws(OpenSSLError) -> [UInt8] {
        guard algorithm.fits(handle.kind) else { throw OpenSSLError(draining: .unsuitableKey) }
        let digest = algorithm.digest.hash(message.span)
        let signature = try SignatureContext.sign(digest, key: handle, algorithm: algorithm)
        guard case .ecdsa(let curve) = algorithm.family else { return signature }
        guard let raw = ECDSASignature.raw(der: signature, curve: curve) else { throw OpenSSLError(draining: .sign) }
        return raw
    }
}
