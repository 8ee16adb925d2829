/// A password hash with its parameters, as one text: `$argon2id$v=19$m=…,t=…,p=…$salt$digest`.
struct PasswordHash: Sendable, Equatable {
    static let saltLength = 16
    static let digestLength = 32
    private static let maximumTextLength = 512

    let parameters: Argon2Parameters
    let salt: [UInt8]
    let digest: [UInt8]

    /// The text that is stored.
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
    /// Reads exactly the form of ``encoded``, and refuses parameters that nobody should pay for before anything is allocated.
    init(_ encoded: String) throws(PasswordHashError) {
        guard encoded.utf8.count <= Self.maximumTextLength else { throw .malformedHash }
        let parts = encoded.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0].isEmpty else { throw .malformedHash }
        guard parts[1] == "argon2id" else { throw .unsupportedHash }
        guard parts.count == 6 else { throw .malformedHash }
        guard parts[2] == "v=\(Argon2.version)" else { throw .unsupportedHash }
        let base64 = Base64Codec.standard
        guard let parameters = Self.parameters(parts[3]),
            let salt = base64.decode(Array(parts[4].utf8).span), (8...64).contains(salt.count),
            let digest = base64.decode(Array(parts[5].utf8).span), (16...64).contains(digest.count)
        else { throw .malformedHash }
        guard parameters.isAffordable else { throw .costRefused }
        self.init(parameters: parameters, salt: salt, digest: digest)
    }

    /// `m=…,t=…,p=…`, in this order.
    private static func parameters(_ text: Substring) -> Argon2Parameters? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 3, let memory = number("m=", parts[0]), let passes = number("t=", parts[1]),
            let lanes = number("p=", parts[2])
        else { return nil }
        return Argon2Parameters(memoryKiB: memory, passes: passes, lanes: lanes)
    }

    /// A decimal number of at most ten digits, without sign or leading zero.
    private static func number(_ prefix: String, _ text: Substring) -> Int? {
        guard text.hasPrefix(prefix) else { return nil }
        let digits = text.dropFirst(prefix.count)
        guard (1...10).contains(digits.utf8.count), digits.utf8.first != UInt8(ascii: "0"),
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(digits)
    }
}
