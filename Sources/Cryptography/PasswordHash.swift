/// A password hash with its parameters, as one text: `$argon2id$v=19$m=…,t=…,p=…$salt$digest`.
struct PasswordHash: Sendable, Equatable {
    static let saltLength = 16
    static let digestLength = 32

    let parameters: Argon2Parameters
    let salt: [UInt8]
    let digest: [UInt8]

    /// The stored text.
    var encoded: String {
        let base64 = Base64Codec.standard
        let parts = [
            "", "argon2id", "v=\(Argon2.version)",
            "m=\(parameters.memoryKiB),t=\(parameters.passes),p=\(parameters.lanes)",
            String(decoding: base64.encode(salt), as: UTF8.self),
            String(decoding: base64.encode(digest), as: UTF8.self),
        ]
        return parts.joined(separator: "$")
    }
}

extension PasswordHash {
    /// Reads exactly the form of ``encoded``, and refuses excessive parameters before any allocation.
    init(_ encoded: String) throws(PasswordHashError) {
        guard encoded.utf8.count <= HashText.maximumLength else { throw .malformedHash }
        let parts = encoded.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0].isEmpty else { throw .malformedHash }
        guard parts[1] == "argon2id" else { throw .unsupportedHash }
        guard parts.count == 6 else { throw .malformedHash }
        guard parts[2] == "v=\(Argon2.version)" else { throw .unsupportedHash }
        let base64 = Base64Codec.standard
        guard let numbers = HashText.numbers(String(parts[3]), named: ["m", "t", "p"]),
            let salt = base64.decode(Array(parts[4].utf8).span), (8...64).contains(salt.count),
            let digest = base64.decode(Array(parts[5].utf8).span), (16...64).contains(digest.count)
        else { throw .malformedHash }
        let parameters = Argon2Parameters(memoryKiB: numbers[0], passes: numbers[1], lanes: numbers[2])
        guard parameters.isAffordable else { throw .costRefused }
        self.init(parameters: parameters, salt: salt, digest: digest)
    }
}
