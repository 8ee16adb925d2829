/// PBKDF2 (RFC 8018) in the forms of passlib, the PHC string format and Django.
struct PBKDF2Hash: Sendable, Equatable {
    enum Digest: String, Sendable {
        case sha1, sha256, sha512
    }

    let digest: Digest
    let iterations: Int
    let salt: [UInt8]
    let expected: [UInt8]

    /// `$pbkdf2-sha256$29000$salt$digest` (passlib); `$pbkdf2$` is SHA-1.
    ///
    /// `i=29000` or `i=29000,l=32` may replace the number.
    init(parsing text: String) throws(PasswordHashError) {
        let parts = HashText.parts(text)
        guard parts.count == 5, parts[0].isEmpty else { throw .malformedHash }
        let name = parts[1] == "pbkdf2" ? "sha1" : String(parts[1].dropFirst("pbkdf2-".count))
        guard let digest = Digest(rawValue: name) else { throw .unsupportedHash }
        guard let salt = HashText.adaptedBase64(parts[3]), let expected = HashText.adaptedBase64(parts[4]),
            let iterations = Self.iterations(parts[2], length: expected.count)
        else { throw .malformedHash }
        try self.init(digest, iterations, salt, expected)
    }

    /// `pbkdf2_sha256$600000$salt$digest`: the salt is text, the digest padded base64.
    init(parsingDjango text: String) throws(PasswordHashError) {
        let parts = HashText.parts(text)
        guard parts.count == 4, let iterations = HashText.number(parts[1]),
            let expected = HashText.paddedBase64(parts[3])
        else { throw .malformedHash }
        guard let digest = Digest(rawValue: String(parts[0].dropFirst("pbkdf2_".count))) else { throw .unsupportedHash }
        try self.init(digest, iterations, Array(parts[2].utf8), expected)
    }

    private init(_ digest: Digest, _ iterations: Int, _ salt: [UInt8], _ expected: [UInt8]) throws(PasswordHashError) {
        guard (1...128).contains(salt.count), (16...64).contains(expected.count) else { throw .malformedHash }
        let length = digest.algorithm.length
        let blocks = (expected.count + length - 1) / length
        guard iterations <= HashCost.mostPBKDF2Iterations / blocks else { throw .costRefused }
        (self.digest, self.iterations, self.salt, self.expected) = (digest, iterations, salt, expected)
    }

    private static func iterations(_ text: String, length: Int) -> Int? {
        if let numbers = HashText.numbers(text, named: ["i", "l"]) { return numbers[1] == length ? numbers[0] : nil }
        return HashText.numbers(text, named: ["i"])?.first ?? HashText.number(text)
    }

    func digest(of password: [UInt8]) throws(PasswordHashError) -> [UInt8] {
        try KeyDerivation.pbkdf2(
            password, salt: salt, iterations: iterations, hash: digest.algorithm, length: expected.count)
    }
}

extension PBKDF2Hash.Digest {
    var algorithm: DigestAlgorithm {
        switch self {
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha512: .sha512
        }
    }
}
