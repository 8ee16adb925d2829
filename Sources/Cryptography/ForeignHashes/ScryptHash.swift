/// scrypt (RFC 7914) in the forms of the PHC string format and Django.
struct ScryptHash: Sendable, Equatable {
    let logN: Int
    let blockSize: Int
    let parallelism: Int
    let salt: [UInt8]
    let expected: [UInt8]

    /// `$scrypt$ln=16,r=8,p=1$salt$digest`.
    init(parsing text: String) throws(PasswordHashError) {
        let parts = HashText.parts(text)
        guard parts.count == 5, parts[0].isEmpty,
            let numbers = HashText.numbers(parts[2], named: ["ln", "r", "p"]),
            let salt = HashText.base64(parts[3]), let expected = HashText.base64(parts[4])
        else { throw .malformedHash }
        try self.init(logN: numbers[0], numbers[1], numbers[2], salt, expected)
    }

    /// `scrypt$16384$salt$8$1$digest`: N, the salt as text, r, p, the digest in padded base64.
    init(parsingDjango text: String) throws(PasswordHashError) {
        let parts = HashText.parts(text)
        guard parts.count == 6, let n = HashText.number(parts[1]), n.nonzeroBitCount == 1,
            let r = HashText.number(parts[3]), let p = HashText.number(parts[4]),
            let expected = HashText.paddedBase64(parts[5])
        else { throw .malformedHash }
        try self.init(logN: n.trailingZeroBitCount, r, p, Array(parts[2].utf8), expected)
    }

    private init(
        logN: Int, _ blockSize: Int, _ parallelism: Int, _ salt: [UInt8], _ expected: [UInt8]
    ) throws(PasswordHashError) {
        guard (1...128).contains(salt.count), (16...64).contains(expected.count) else { throw .malformedHash }
        guard HashCost.allowsScrypt(logN: logN, blockSize: blockSize, parallelism: parallelism) else {
            throw .costRefused
        }
        (self.logN, self.blockSize, self.parallelism) = (logN, blockSize, parallelism)
        (self.salt, self.expected) = (salt, expected)
    }

    func digest(of password: [UInt8]) throws(PasswordHashError) -> [UInt8] {
        try KeyDerivation.scrypt(
            password, salt: salt, logN: logN, blockSize: blockSize, parallelism: parallelism, length: expected.count)
    }
}
