/// The side that knows the password, for one sign-in: it proves the password without sending it.
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
    /// Nil where salt or server value are none that an honest server sends: to answer those would give the password
    /// away, or prove nothing.
    ///
    /// - Parameters:
    ///   - realm: within what the user is known; the pool's name without its region.
    ///   - user: as the server names it, which need not be what the person typed.
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

    /// (B − k·g^x)^(a + u·x); nil for a scrambler of zero, with which the password would not count.
    func sharedSecret(server: BigNumber, scrambler u: BigNumber, password x: BigNumber) -> BigNumber? {
        guard !u.isZero else { return nil }
        let modulus = SRPGroup.modulus
        let verifier = SRPGroup.generator.power(x, modulo: modulus)
        let base = server.minus(SRPGroup.multiplier.times(verifier, modulo: modulus), modulo: modulus)
        return base.power(BigNumber(privateValue.revealed) + u * x, modulo: modulus)
    }
}
