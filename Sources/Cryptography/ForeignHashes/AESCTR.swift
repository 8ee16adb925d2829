import COpenSSL

/// AES-256 in counter mode (NIST SP 800-38A §6.5) from a counter of zero, as Firebase's hashes use it.
///
/// It keeps nothing secret here: each key has one key stream and is discarded after the call.
enum AESCTR {
    static func keystream(key: [UInt8], length: Int) -> [UInt8] {
        precondition(key.count == 32, "wrong length of key")
        let context = unsafe EVP_CIPHER_CTX_new()
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let zeros = [UInt8](repeating: 0, count: max(length, 16))
        var stream = [UInt8](repeating: 0, count: length)
        var written: Int32 = 0
        let isDone =
            unsafe EVP_EncryptInit_ex2(context, EVP_aes_256_ctr(), key, zeros, nil) == 1
            && EVP_EncryptUpdate(context, &stream, &written, zeros, Int32(length)) == 1
        precondition(isDone && written == length, "OpenSSL could not encrypt")
        return stream
    }
}
