/// Argon2 in all its variants and both versions (RFC 9106): `$argon2i$v=19$m=…,t=…,p=…$salt$digest`.
///
/// A text without `v=` has version 1.0, which texts do not state.
struct Argon2Hash: Sendable, Equatable {
    let kind: Argon2.Kind
    let parameters: Argon2Parameters
    let salt: [UInt8]
    let expected: [UInt8]

    init(parsing text: String) throws(PasswordHashError) {
        var parts = HashText.parts(text)
        guard parts.count == 5 || parts.count == 6, parts[0].isEmpty else { throw .malformedHash }
        if parts.count == 5 { parts.insert("v=\(Argon2.firstVersion)", at: 2) }
        guard let variant = Argon2.Variant(rawValue: parts[1]) else { throw .unsupportedHash }
        guard let version = HashText.numbers(parts[2], named: ["v"])?.first else { throw .malformedHash }
        guard [Argon2.firstVersion, Argon2.version].contains(version) else { throw .unsupportedHash }
        guard let numbers = HashText.numbers(parts[3], named: ["m", "t", "p"]),
            let salt = HashText.base64(parts[4]), (8...64).contains(salt.count),
            let digest = HashText.base64(parts[5]), (16...64).contains(digest.count)
        else { throw .malformedHash }
        kind = Argon2.Kind(variant: variant, version: version)
        parameters = Argon2Parameters(memoryKiB: numbers[0], passes: numbers[1], lanes: numbers[2])
        guard parameters.isAffordable else { throw .costRefused }
        (self.salt, expected) = (salt, digest)
    }

    func digest(of password: [UInt8]) throws(PasswordHashError) -> [UInt8] {
        try Argon2.digest(password, salt: salt, parameters: parameters, length: expected.count, kind: kind)
    }
}
