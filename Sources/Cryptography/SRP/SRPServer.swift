/// The value that a server stores instead of a password.
///
/// A stolen verifier does not allow a sign-in, but makes password guessing cheap. It must be kept sealed.
package struct SRPVerifier: Sendable, Equatable {
    /// In hexadecimal without leading zeros, so that every reader gets the same number.
    package let salt: String
    let value: Secret

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

    /// (A · v^u)^b.
    private func sharedSecret(client: BigNumber, scrambler u: BigNumber) -> BigNumber {
        let modulus = SRPGroup.modulus
        let verified = BigNumber(verifier.value.revealed).power(u, modulo: modulus)
        return client.times(verified, modulo: modulus).power(BigNumber(privateValue.revealed), modulo: modulus)
    }
}
