import COpenSSL

/// Owns an `EVP_PKEY_CTX` for one signature over a finished digest.
@safe struct SignatureContext: ~Copyable {
    private enum Operation {
        case sign, verify
    }

    private let pointer: OpaquePointer

    private init(adopting pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    /// `nil`, with the reason in OpenSSL's queue, if the key does not fit the algorithm.
    private static func make(
        _ key: KeyHandle, _ operation: Operation, _ algorithm: SignatureAlgorithm
    ) -> SignatureContext? {
        guard let pointer = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil) else { return nil }
        let context = unsafe SignatureContext(adopting: pointer)
        let begins =
            switch operation {
            case .sign: unsafe EVP_PKEY_sign_init(pointer)
            case .verify: unsafe EVP_PKEY_verify_init(pointer)
            }
        guard begins == 1, context.configure(algorithm) else { return nil }
        return context
    }

    deinit {
        unsafe EVP_PKEY_CTX_free(pointer)
    }

    /// Sets padding and digest; otherwise OpenSSL would accept a digest of any kind.
    private func configure(_ algorithm: SignatureAlgorithm) -> Bool {
        guard unsafe EVP_PKEY_CTX_set_signature_md(pointer, algorithm.digest.pointer) == 1 else { return false }
        switch algorithm.family {
        case .ecdsa: return true
        case .rsaPKCS1: return unsafe EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_PKCS1_PADDING) == 1
        case .rsaPSS:
            // RFC 7518 §3.5: the salt is as long as the digest.
            return unsafe EVP_PKEY_CTX_set_rsa_padding(pointer, RSA_PKCS1_PSS_PADDING) == 1
                && EVP_PKEY_CTX_set_rsa_pss_saltlen(pointer, Int32(algorithm.digest.length)) == 1
        }
    }

    static func verify(
        _ signature: [UInt8], digest: [UInt8], key: KeyHandle, algorithm: SignatureAlgorithm
    ) -> Bool {
        defer { ERR_clear_error() }
        guard let context = make(key, .verify, algorithm) else { return false }
        return unsafe EVP_PKEY_verify(context.pointer, signature, signature.count, digest, digest.count) == 1
    }

    static func sign(
        _ digest: [UInt8], key: KeyHandle, algorithm: SignatureAlgorithm
    ) throws(OpenSSLError) -> [UInt8] {
        guard let context = make(key, .sign, algorithm) else {
            throw OpenSSLError(draining: .sign)
        }
        var length = unsafe Int(EVP_PKEY_get_size(key.pointer))
        var signature = [UInt8](repeating: 0, count: length)
        guard unsafe EVP_PKEY_sign(context.pointer, &signature, &length, digest, digest.count) == 1 else {
            throw OpenSSLError(draining: .sign)
        }
        signature.removeLast(signature.count - length)
        return signature
    }
}
