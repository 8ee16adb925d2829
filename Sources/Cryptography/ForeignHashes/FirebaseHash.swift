/// Firebase's variant of scrypt, in our own form: `$firebase-scrypt$ln=14,r=8,p=1$salt$keystream`.
///
/// Firebase derives a key from the password with scrypt. It encrypts a project's signer key with it, by AES-256 in
/// counter mode. The ciphertext is the hash. Ciphertext and signer key together give the keystream, which is stored
/// instead of both. It matches the same passwords, and only the import needs the signer key, the secret of another
/// system. The signer key would protect nothing: one known password and its user's hash reveal it.
struct FirebaseHash: Sendable, Equatable {
    static let keyLength = 32
    private static let lengths = 32...128

    let logN: Int
    let blockSize: Int
    /// The user's salt followed by the project's separator.
    let salt: [UInt8]
    let expected: [UInt8]

    init(parsing text: String) throws(PasswordHashError) {
        let parts = HashText.parts(text)
        guard parts.count == 5, parts[0].isEmpty,
            let numbers = HashText.numbers(parts[2], named: ["ln", "r", "p"]), numbers[2] == 1,
            let salt = HashText.base64(parts[3]), let keystream = HashText.base64(parts[4])
        else { throw .malformedHash }
        try self.init(logN: numbers[0], blockSize: numbers[1], salt: salt, keystream: keystream)
    }

    init(logN: Int, blockSize: Int, salt: [UInt8], keystream: [UInt8]) throws(PasswordHashError) {
        guard (1...128).contains(salt.count), Self.lengths.contains(keystream.count) else { throw .malformedHash }
        guard HashCost.allowsScrypt(logN: logN, blockSize: blockSize, parallelism: 1) else { throw .costRefused }
        (self.logN, self.blockSize, self.salt, expected) = (logN, blockSize, salt, keystream)
    }

    /// The stored text.
    var encoded: String {
        let base64 = [salt, expected].map { String(decoding: Base64Codec.standard.encode($0), as: UTF8.self) }
        return "$firebase-scrypt$ln=\(logN),r=\(blockSize),p=1$\(base64[0])$\(base64[1])"
    }

    func digest(of password: [UInt8]) throws(PasswordHashError) -> [UInt8] {
        let key = try KeyDerivation.scrypt(
            password, salt: salt, logN: logN, blockSize: blockSize, parallelism: 1, length: Self.keyLength)
        return AESCTR.keystream(key: key, length: expected.count)
    }
}
