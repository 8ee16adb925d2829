/// The client in one sign-in, which proves the password without sending it.
package struct SRPClient: Sendable {
    private let privateValue: Secret
    /// A, in hexadecimal.
    package let publicValue: String

    package init(random: RandomBytes = .system) {
        let bytes = random(32)
        privateValue = Secret(bytes)
        publicValue = SRPGroup.generator.power(BigNumber(bytes), modulo: SRPGroup.modulus).hex
    }

    /// The proof of the password.
    ///
    /// Nil for a salt or server value that no honest server sends. An answer to those would reveal the password, or
    /// prove nothing.
    ///
    /// - Parameters:
    ///   - realm: the namespace of the user; the pool's name without its region.
    ///   - user: the server's name of the user, which may differ from the typed one.
    ///   - salt: hexadecimal.
    ///   - serverValue: B, in hexadecimal.
    package func signature(
        realm: String, user: String, password: Secret, salt: String, serverValue: String, secretBlock: [UInt8],
        timestamp: String
    ) -> [UInt8]? {
        guard let salt = BigNumber(hex: salt, limit: SRPGroup.longestHex),
            let server = SRPGroup.value(serverValue), let client = SRPGroup.value(publicValue)
        else { return nil }
        let x = SRPGroup.password(password.revealed, realm: realm, user: user, salt: salt)
        let u = SRPGroup.scrambler(client: client, server: server)
        guard let secret = sharedSecret(server: server, scrambler: u, password: x) else { return nil }
        return SRPGroup.signature(
            key: SRPGroup.key(secret: secret, scrambler: u), realm: realm, user: user, secretBlock: secretBlock,
            timestamp: timestamp)
    }

    /// (B − k·g^x)^(a + u·x); nil for a scrambler of zero, which would exclude the password.
    func sharedSecret(server: BigNumber, scrambler u: BigNumber, password x: BigNumber) -> BigNumber? {
        guard !u.isZero else { return nil }
        let modulus = SRPGroup.modulus
        let verifier = SRPGroup.generator.power(x, modulo: modulus)
        let base = server.minus(SRPGroup.multiplier.times(verifier, modulo: modulus), modulo: modulus)
        return base.power(BigNumber(privateValue.revealed) + u * x, modulo: modulus)
    }
}
