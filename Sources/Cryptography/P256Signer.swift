import COpenSSL

/// ES256 with the nonce of RFC 6979: nothing depends on good randomness at the moment of signing.
///
/// OpenSSL's interface for keys of every kind takes a third longer: it writes the signature as DER, to be read anew.
///
/// `@unchecked Sendable`: signing reads the `EC_KEY` and its group and changes neither; both are set up in `init`.
@safe final class P256Signer: @unchecked Sendable {
    private let pointer: OpaquePointer
    private let privateNumber: Secret

    /// Takes the private number of a P-256 key.
    init(_ handle: KeyHandle) throws(OpenSSLError) {
        let number = try handle.number("priv", length: Curve.p256.length)
        guard let pointer = unsafe EC_KEY_new_by_curve_name(NID_X9_62_prime256v1) else {
            throw OpenSSLError(draining: .readKey)
        }
        unsafe self.pointer = pointer
        privateNumber = Secret(number)
        guard let scalar = unsafe BN_bin2bn(number, Int32(number.count), nil) else {
            throw OpenSSLError(draining: .readKey)
        }
        defer { unsafe BN_clear_free(scalar) }
        guard unsafe EC_KEY_set_private_key(pointer, scalar) == 1 else { throw OpenSSLError(draining: .readKey) }
    }

    deinit {
        unsafe EC_KEY_free(pointer)
    }

    func sign(digest: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        let nonce = DeterministicNonce.p256(privateNumber: privateNumber.revealed, digest: digest)
        return try sign(digest: digest, nonce: nonce, inverse: P256OrderInverse.inverse(of: nonce))
    }

    /// Both numbers have 32 bytes.
    ///
    /// Fails for an inverse that is not the nonce's: such a signature could tell the key.
    func sign(digest: [UInt8], nonce: [UInt8], inverse: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        try unsafe signature { signature in
            unsafe copenssl_sign_with_nonce(pointer, digest, digest.count, nonce, inverse, signature, Self.half)
        }
    }

    /// In bytes, of r and of s.
    private static let half = Int32(Curve.p256.length)

    private func signature(_ write: (UnsafeMutablePointer<UInt8>?) -> Int32) throws(OpenSSLError) -> [UInt8] {
        var isMade = false
        let signature = unsafe [UInt8](unsafeUninitializedCapacity: Int(2 * Self.half)) { output, count in
            isMade = unsafe write(output.baseAddress) == 1
            count = isMade ? Int(2 * Self.half) : 0
        }
        guard isMade else { throw OpenSSLError(draining: .sign) }
        return signature
    }
}
