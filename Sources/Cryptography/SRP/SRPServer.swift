/// The value that a server stores instead of a password.
///
/// A stolen verifier does not allow a sign-in, but makes password guessing cheap. It must be kept sealed.
package struct SRPVerifier: Sendable, Equatable {
    /// In hexadecimal without leading zeros, so that every reader gets the same number.
    package let salt: String
    let value: Secret

    /// A stored verifier.
    ///
    /// - Parameter salt: as ``saltBytes``.
    package init(salt: [UInt8], value: Secret) {
        self.salt = BigNumber(salt).hex
        self.value = value
    }

    /// A verifier that no password matches, for a user without one.
    ///
    /// The server's value hides the verifier, so each sign-in may invent another.
    ///
    /// - Parameter salt: as ``saltBytes``.
    package init(decoyWith salt: [UInt8]) {
        let value = BigNumber(RandomBytes.system(400)).times(BigNumber([1]), modulo: SRPGroup.modulus)
        self.init(salt: salt, value: Secret(value.bytes))
    }

    /// The salt in bytes.
    package var saltBytes: [UInt8] { BigNumber(hex: salt, limit: SRPGroup.longestHex)?.bytes ?? [] }

    /// The verifier itself, to be sealed.
    package var bytes: [UInt8] { value.revealed }

    /// - Parameter salt: 16 random bytes.
    package init(realm: String, user: String, password: Secret, salt: [UInt8] = RandomBytes.system(16)) {
        let number = BigNumber(salt)
        let x = SRPGroup.password(password.revealed, realm: realm, user: user, salt: number)
        self.salt = number.hex
        value = Secret(SRPGroup.generator.power(x, modulo: SRPGroup.modulus).bytes)
    }
}

/// The server in one sign-in, which knows the verifier.
package struct SRPServer: Sendable {
    private let verifier: SRPVerifier
    private let privateValue: Secret
    /// B, in hexadecimal.
    package let publicValue: String

    package init(_ verifier: SRPVerifier, random: RandomBytes = .system) {
        let bytes = random(32)
        let modulus = SRPGroup.modulus
        let masked = SRPGroup.multiplier.times(BigNumber(verifier.value.revealed), modulo: modulus)
        self.verifier = verifier
        privateValue = Secret(bytes)
        publicValue = masked.plus(SRPGroup.generator.power(BigNumber(bytes), modulo: modulus), modulo: modulus).hex
    }

    private init(_ verifier: SRPVerifier, _ privateValue: Secret, _ publicValue: String) {
        (self.verifier, self.privateValue, self.publicValue) = (verifier, privateValue, publicValue)
    }

    /// The salt of the verifier, in hexadecimal.
    package var salt: String { verifier.salt }

    /// Whether an honest client could send a client value.
    package static func accepts(clientValue: String) -> Bool {
        SRPGroup.value(clientValue) != nil
    }

    /// Whether the signature proves the password; compared in constant time.
    package func accepts(
        _ signature: [UInt8], realm: String, user: String, clientValue: String, secretBlock: [UInt8], timestamp: String
    ) -> Bool {
        guard let client = SRPGroup.value(clientValue), let server = SRPGroup.value(publicValue) else { return false }
        let u = SRPGroup.scrambler(client: client, server: server)
        guard !u.isZero else { return false }
        let expected = SRPGroup.signature(
            key: SRPGroup.key(secret: sharedSecret(client: client, scrambler: u), scrambler: u), realm: realm,
            user: user, secretBlock: secretBlock, timestamp: timestamp)
        return ConstantTime.equal(expected, signature)
    }

    private enum CodingKeys: String, CodingKey { case salt, verifier, privateValue, publicValue }

    /// (A · v^u)^b.
    private func sharedSecret(client: BigNumber, scrambler u: BigNumber) -> BigNumber {
        let modulus = SRPGroup.modulus
        let verified = BigNumber(verifier.value.revealed).power(u, modulo: modulus)
        return client.times(verified, modulo: modulus).power(BigNumber(privateValue.revealed), modulo: modulus)
    }
}

/// The state between the two calls of a sign-in, with its secrets: it must be kept sealed.
extension SRPServer: Codable {
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            SRPVerifier(
                salt: try values.decode([UInt8].self, forKey: .salt),
                value: Secret(try values.decode([UInt8].self, forKey: .verifier))),
            Secret(try values.decode([UInt8].self, forKey: .privateValue)),
            try values.decode(String.self, forKey: .publicValue))
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(verifier.saltBytes, forKey: .salt)
        try values.encode(verifier.bytes, forKey: .verifier)
        try values.encode(privateValue.revealed, forKey: .privateValue)
        try values.encode(publicValue, forKey: .publicValue)
    }
}
