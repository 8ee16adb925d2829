import COpenSSL
import Synchronization

/// Owns an `EVP_PKEY_CTX` for one signature over a finished digest.
@safe struct SignatureContext: ~Copyable {
    private let pointer: OpaquePointer

    /// A copy of the key's prepared context; docs/decisions/0012 has the measured gain.
    private init?(_ key: KeyHandle, _ use: PreparedContexts.Use) {
        guard let pointer = unsafe key.contexts.copy(for: use, of: key) else { return nil }
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe EVP_PKEY_CTX_free(pointer)
    }

    static func verify(
        _ signature: [UInt8], digest: [UInt8], key: KeyHandle, algorithm: SignatureAlgorithm
    ) -> Bool {
        defer { ERR_clear_error() }
        guard let context = SignatureContext(key, .init(operation: .verify, algorithm: algorithm)) else { return false }
        return unsafe EVP_PKEY_verify(context.pointer, signature, signature.count, digest, digest.count) == 1
    }

    static func sign(
        _ digest: [UInt8], key: KeyHandle, algorithm: SignatureAlgorithm
    ) throws(OpenSSLError) -> [UInt8] {
        guard let context = SignatureContext(key, .init(operation: .sign, algorithm: algorithm)) else {
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

/// The contexts of one key, ready to be copied: at most one per use.
final class PreparedContexts: Sendable {
    struct Use: Hashable {
        enum Operation {
            case sign, verify
        }

        let operation: Operation
        let algorithm: SignatureAlgorithm
    }

    private let prepared = Mutex<[Use: PreparedContext]>([:])

    /// A copy, which the caller must free.
    ///
    /// `nil`, with the reason in OpenSSL's queue, if the key does not fit the use.
    func copy(for use: Use, of key: KeyHandle) -> OpaquePointer? {
        unsafe prepared.withLock { prepared in
            if let ready = prepared[use] { return unsafe ready.copy() }
            guard let made = PreparedContext(key, use) else { return nil }
            prepared[use] = made
            return unsafe made.copy()
        }
    }
}

/// Owns an `EVP_PKEY_CTX` that is never used itself.
///
/// `@unchecked Sendable`: it is read under the lock of ``PreparedContexts``, and freed with its last reference.
@safe private final class PreparedContext: @unchecked Sendable {
    private let pointer: OpaquePointer

    init?(_ key: KeyHandle, _ use: PreparedContexts.Use) {
        guard let pointer = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil) else { return nil }
        unsafe self.pointer = pointer
        let begins =
            switch use.operation {
            case .sign: unsafe EVP_PKEY_sign_init(pointer)
            case .verify: unsafe EVP_PKEY_verify_init(pointer)
            }
        guard begins == 1, configure(use.algorithm) else { return nil }
    }

    deinit {
        unsafe EVP_PKEY_CTX_free(pointer)
    }

    func copy() -> OpaquePointer? {
        unsafe EVP_PKEY_CTX_dup(pointer)
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
}
