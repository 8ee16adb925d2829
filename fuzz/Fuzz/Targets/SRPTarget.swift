@testable import Cryptography

/// No client value leads to a secret that a client without the password can guess (RFC 5054 §2.5.4).
///
/// Reads the client's value, the signature, the user and the time, one a line.
enum SRPTarget {
    private static let block: [UInt8] = [1, 2, 3]
    private static let server = SRPServer(
        SRPVerifier(realm: "pool", user: "user", password: Secret("password"), salt: [UInt8](repeating: 7, count: 16)))

    static func read(_ input: [UInt8]) {
        let parts = Input(input, most: 4)
        let (value, user, time) = (parts.text(0), parts.text(2), parts.text(3))
        guard SRPServer.accepts(clientValue: value) else {
            hold(!accepts([], value, user, time), "a value out of range is refused")
            return
        }
        guard let number = SRPGroup.value(value) else { return hold(false, "an accepted value is a number") }
        hold(SRPGroup.value(number.hex).map { $0.bytes == number.bytes } ?? false, "a value has one meaning")
        hold(!number.isZero && number < SRPGroup.modulus, "a value is within the group")
        hold(!accepts(Hex.decode(parts.text(1)) ?? [], value, user, time), "a signature is refused")
        let scrambler = SRPGroup.scrambler(client: number, server: SRPGroup.value(server.publicValue) ?? number)
        for guess in [BigNumber([]), BigNumber([1])] {
            let key = SRPGroup.key(secret: guess, scrambler: scrambler)
            let signature = SRPGroup.signature(key: key, realm: "pool", user: user, secretBlock: block, timestamp: time)
            hold(!accepts(signature, value, user, time), "a guessed secret is refused")
        }
    }

    private static func accepts(_ signature: [UInt8], _ value: String, _ user: String, _ time: String) -> Bool {
        server.accepts(
            signature, realm: "pool", user: user, clientValue: value, secretBlock: block, timestamp: time)
    }
}
