import COpenSSL

/// ES256 with the nonce of RFC 6979.
///
/// `@unchecked Sendable`: signing reads the `EC_KEY` and its group and changes neither; both are set up in `init`.
@safe final class DeterministicSigner: @unchecked Sendable {
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
        let half = Curve.p256.length
        var signature = [UInt8](repeating: 0, count: 2 * half)
        guard
            unsafe copenssl_sign_with_nonce(
                pointer, digest, digest.count, nonce, nonce.count, &signature, Int32(half)) == 1
        else { throw OpenSSLError(draining: .sign) }
        return signature
    }
}
