/// Firebase's variant of scrypt: `$firebase-scrypt$ln=14,r=8,p=1$salt$keystream`, a form of our own.
///
/// Firebase encrypts a project's signer key with AES-256 in counter mode under a key that scrypt makes of the password. The
/// ciphertext is the hash. Ciphertext and signer key together are the keystream, and the keystream is kept in place of both:
/// it is right for the same passwords, and the signer key, the secret of another system, is needed at the import only. It
/// would protect nothing: whoever knows one password of the project can compute it from that person's hash.
struct FirebaseHash: Sendable, Equatable {
    static let keyLength = 32
    private static let lengths = 32...128

    let logN: Int
    let blockSize: Int
    /// The person's salt with the project's separator behind it.
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

    /// The text that is stored.
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
