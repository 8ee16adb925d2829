import COpenSSL

/// AES-256 in Galois/counter mode (NIST SP 800-38D) with a 96-bit nonce and a 128-bit tag after the ciphertext.
enum AESGCM {
    static let keyLength = 32
    static let nonceLength = 12
    static let tagLength = 16

    static func seal(_ plain: [UInt8], key: [UInt8], nonce: [UInt8], authenticating facts: [UInt8]) -> [UInt8] {
        let context = CipherContext(key: key, nonce: nonce, encrypts: true)
        context.authenticate(facts)
        let ciphertext = context.update(plain)
        // Lengths and state are correct here: only exhausted memory can make this fail.
        precondition(context.finish(), "OpenSSL could not encrypt")
        return ciphertext + context.tag()
    }

    /// `nil` when anything was altered; no decrypted text is then returned.
    static func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8], authenticating facts: [UInt8]) -> [UInt8]? {
        guard sealed.count >= tagLength else { return nil }
        let context = CipherContext(key: key, nonce: nonce, encrypts: false)
        context.authenticate(facts)
        let plain = context.update(Array(sealed.dropLast(tagLength)))
        context.expect(tag: Array(sealed.suffix(tagLength)))
        return context.finish() ? plain : nil
    }
}

/// The cipher, fetched once.
///
/// `@unchecked Sendable`: a fetched `EVP_CIPHER` is never changed, and OpenSSL allows its use from any thread.
@safe private final class FetchedCipher: @unchecked Sendable {
    static let aes256GCM = FetchedCipher("AES-256-GCM")
    let pointer: OpaquePointer

    private init(_ name: StaticString) {
        guard let pointer = unsafe EVP_CIPHER_fetch(nil, name.description, nil) else {
            preconditionFailure("OpenSSL offers no \(name)")
        }
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe EVP_CIPHER_free(pointer)
    }
}

/// Owns an `EVP_CIPHER_CTX`, which wipes its key when freed.
@safe private final class CipherContext {
    private let pointer: OpaquePointer

    init(key: [UInt8], nonce: [UInt8], encrypts: Bool) {
        precondition(key.count == AESGCM.keyLength && nonce.count == AESGCM.nonceLength, "wrong length of key or nonce")
        guard let pointer = unsafe EVP_CIPHER_CTX_new(),
            unsafe EVP_CipherInit_ex2(
                pointer, FetchedCipher.aes256GCM.pointer, key, nonce, encrypts ? 1 : 0, nil) == 1
        else { preconditionFailure("OpenSSL could not start a cipher") }
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe EVP_CIPHER_CTX_free(pointer)
    }

    func authenticate(_ facts: [UInt8]) {
        var written: Int32 = 0
        precondition(
            unsafe EVP_CipherUpdate(pointer, nil, &written, facts, Int32(facts.count)) == 1, "OpenSSL refused facts")
    }

    func update(_ input: [UInt8]) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: input.count)
        var written: Int32 = 0
        precondition(
            unsafe EVP_CipherUpdate(pointer, &output, &written, input, Int32(input.count)) == 1,
            "OpenSSL refused input")
        return output
    }

    /// False when the tag does not fit.
    func finish() -> Bool {
        var rest: [UInt8] = Array(repeating: 0, count: 16)
        var written: Int32 = 0
        let result = unsafe EVP_CipherFinal_ex(pointer, &rest, &written)
        ERR_clear_error()
        return result == 1
    }

    func tag() -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: AESGCM.tagLength)
        precondition(
            unsafe EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1,
            "OpenSSL gave no tag")
        return tag
    }

    func expect(tag: [UInt8]) {
        var tag = tag
        precondition(
            unsafe EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1,
            "OpenSSL took no tag")
    }
}
