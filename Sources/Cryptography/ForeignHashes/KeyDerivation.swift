import COpenSSL

/// Key derivation from passwords, by OpenSSL.
///
/// Both functions block the calling thread. Both use HMAC, which fills short keys with zeros. A NUL byte at the end of
/// a short password therefore makes no difference, as in the original system.
enum KeyDerivation {
    /// PBKDF2 with HMAC (RFC 8018 §5.2).
    static func pbkdf2(
        _ password: [UInt8], salt: [UInt8], iterations: Int, hash: DigestAlgorithm, length: Int
    ) throws(PasswordHashError) -> [UInt8] {
        let password = password.map { CChar(bitPattern: $0) }
        var key = [UInt8](repeating: 0, count: length)
        let result = unsafe PKCS5_PBKDF2_HMAC(
            password, Int32(password.count), salt, Int32(salt.count), Int32(iterations), hash.pointer,
            Int32(length), &key)
        guard result == 1 else { throw failure() }
        return key
    }

    /// scrypt (RFC 7914) with N = 2^logN.
    static func scrypt(
        _ password: [UInt8], salt: [UInt8], logN: Int, blockSize: Int, parallelism: Int, length: Int
    ) throws(PasswordHashError) -> [UInt8] {
        let password = password.map { CChar(bitPattern: $0) }
        var key = [UInt8](repeating: 0, count: length)
        // The work area needs a few blocks more than the limited memory.
        let most = UInt64(HashCost.mostMemory + HashCost.mostMemory / 4)
        let result = unsafe EVP_PBE_scrypt(
            password, password.count, salt, salt.count, 1 << UInt64(logN), UInt64(blockSize), UInt64(parallelism), most,
            &key, length)
        guard result == 1 else { throw failure() }
        return key
    }

    private static func failure() -> PasswordHashError {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        return .failed(code: Int32(truncatingIfNeeded: code))
    }
}
