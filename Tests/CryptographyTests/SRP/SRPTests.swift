import Testing

@testable import Cryptography

@Suite("Secure remote password")
struct SRPTests {
    private typealias Vector = SRPVector

    private let client = SRPClient(random: Self.fixed(Vector.privateClient))

    private static func fixed(_ hex: String) -> RandomBytes {
        RandomBytes { _ in Hex.decode(hex) ?? [] }
    }

    private static func verifier(password: String = Vector.password) throws -> SRPVerifier {
        SRPVerifier(
            realm: Vector.realm, user: Vector.user, password: Secret(password),
            salt: try #require(Hex.decode(Vector.salt)))
    }

    private func signature(
        password: String = Vector.password, salt: String = Vector.salt, server: String = Vector.server
    ) -> [UInt8]? {
        client.signature(
            realm: Vector.realm, user: Vector.user, password: Secret(password), salt: salt, serverValue: server,
            secretBlock: Vector.secretBlock, timestamp: Vector.timestamp)
    }

    @Test(
        "numbers are hashed in their shortest two's complement form",
        arguments: [
            ("0", "00"), ("f", "0f"), ("7f", "7f"), ("80", "0080"), ("123", "0123"), ("abc", "0abc"),
            ("000abc", "0abc"), ("00FF", "00ff"), (SRPVector.salt, "00" + SRPVector.salt),
        ])
    func padding(hex: String, padded: String) throws {
        let number = try #require(BigNumber(hex: hex, limit: 64))
        #expect(Hex.encode(SRPGroup.padded(number)) == padded)
    }

    @Test("numbers are written without leading zeros", arguments: [("0", "0"), ("000f", "f"), ("0ABC", "abc")])
    func writing(hex: String, written: String) throws {
        #expect(try #require(BigNumber(hex: hex, limit: 64)).hex == written)
    }

    @Test("a malformed number is refused", arguments: ["", "g", "0x1", "-1", " 1", "1 ", "ä", "12345678901234567"])
    func notNumbers(text: String) {
        #expect(BigNumber(hex: text, limit: 16) == nil)
    }

    @Test("the group has 3072 bits, and its multiplier has the published value")
    func group() {
        #expect(SRPGroup.modulus.bytes.count == 384)
        #expect(SRPGroup.modulus.bytes.first == 0xFF && SRPGroup.modulus.bytes.last == 0xFF)
        #expect(SRPGroup.multiplier.hex == "538282c4354742d7cbbde2359fcf67f9f5b3a6b08791e5011b43b8a5b66d9ee6")
    }

    @Test("the client computes the values of the vector")
    func clientVector() throws {
        #expect(client.publicValue == Vector.client)
        let server = try #require(BigNumber(hex: Vector.server, limit: 768))
        let u = SRPGroup.scrambler(client: try #require(BigNumber(hex: Vector.client, limit: 768)), server: server)
        #expect(u.hex == Vector.scrambler)
        let x = SRPGroup.password(
            Array(Vector.password.utf8), realm: Vector.realm, user: Vector.user,
            salt: try #require(BigNumber(hex: Vector.salt, limit: 32)))
        #expect(x.hex == Vector.passwordNumber)
        let secret = try #require(client.sharedSecret(server: server, scrambler: u, password: x))
        #expect(secret.hex == Vector.sharedSecret)
        #expect(Hex.encode(SRPGroup.key(secret: secret, scrambler: u)) == Vector.key)
        #expect(signature().map(Hex.encode) == Vector.signature)
    }

    @Test("the server computes the values of the vector and accepts its signature")
    func serverVector() throws {
        let verifier = try Self.verifier()
        #expect(verifier.salt == Vector.salt)
        #expect(BigNumber(verifier.value.revealed).hex == Vector.verifier)
        let server = SRPServer(verifier, random: Self.fixed(Vector.privateServer))
        #expect(server.publicValue == Vector.server)
        #expect(accepts(server))
    }

    @Test("a device's key and password give the signature of the vector")
    func deviceVector() {
        let signature = client.signature(
            realm: SRPDeviceVector.group, user: SRPDeviceVector.key, password: Secret(SRPDeviceVector.password),
            salt: SRPDeviceVector.salt, serverValue: SRPDeviceVector.server, secretBlock: Vector.secretBlock,
            timestamp: Vector.timestamp)
        #expect(signature.map(Hex.encode) == SRPDeviceVector.signature)
    }

    @Test("upper case and leading zeros do not change a value")
    func otherSpellings() {
        #expect(signature(salt: "00" + Vector.salt.uppercased()).map(Hex.encode) == Vector.signature)
        #expect(signature(server: Vector.server.uppercased()).map(Hex.encode) == Vector.signature)
    }

    @Test("the client answers no value that would reveal the password", arguments: SRPTests.worthless)
    func worthlessServerValues(value: String) {
        #expect(signature(server: value) == nil)
    }

    @Test("the server answers no value that would accept every password", arguments: SRPTests.worthless)
    func worthlessClientValues(value: String) throws {
        #expect(!SRPServer.accepts(clientValue: value))
        let server = SRPServer(try Self.verifier(), random: Self.fixed(Vector.privateServer))
        #expect(!accepts(server, client: value))
        // With a client value of zero, the secret is zero for every password, so everyone knows its signature.
        let u = SRPGroup.scrambler(
            client: BigNumber([]), server: try #require(BigNumber(hex: Vector.server, limit: 768)))
        let forged = SRPGroup.signature(
            key: SRPGroup.key(secret: BigNumber([]), scrambler: u), realm: Vector.realm, user: Vector.user,
            secretBlock: Vector.secretBlock, timestamp: Vector.timestamp)
        #expect(!accepts(server, forged, client: value))
    }

    /// Zero, N, N + 1, 2N, malformed numbers, and numbers longer than N.
    static let worthless: [String] = {
        let modulus = SRPGroup.modulus
        return [
            "0", "00", modulus.hex, (modulus + BigNumber([1])).hex, (modulus + modulus).hex, "", "zz", "-1",
            String(repeating: "1", count: 769),
        ]
    }()

    @Test("a scrambler of zero gives no secret, because the password would not count")
    func zeroScrambler() throws {
        let server = try #require(BigNumber(hex: Vector.server, limit: 768))
        #expect(client.sharedSecret(server: server, scrambler: BigNumber([]), password: BigNumber([5])) == nil)
    }

    @Test("a salt that is not a number gets no answer", arguments: ["", "xyz"])
    func badSalt(salt: String) {
        #expect(signature(salt: salt) == nil)
    }

    @Test("another password gives another signature, and the server refuses it")
    func wrongPassword() throws {
        let wrong = try #require(signature(password: "Corr3ct-Horse?"))
        #expect(Hex.encode(wrong) != Vector.signature)
        #expect(!accepts(SRPServer(try Self.verifier(), random: Self.fixed(Vector.privateServer)), wrong))
    }

    @Test(
        "a signature is valid for its user, secret block and time only",
        arguments: [
            ("OtherPool", Vector.user, Vector.secretBlock, Vector.timestamp),
            (Vector.realm, "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f1", Vector.secretBlock, Vector.timestamp),
            (Vector.realm, Vector.user, Vector.secretBlock.reversed(), Vector.timestamp),
            (Vector.realm, Vector.user, Vector.secretBlock, "Sat Nov 7 09:05:04 UTC 2026"),
        ])
    func bound(row: (realm: String, user: String, block: [UInt8], time: String)) throws {
        let server = SRPServer(try Self.verifier(), random: Self.fixed(Vector.privateServer))
        let signature = try #require(Hex.decode(Vector.signature))
        #expect(
            !server.accepts(
                signature, realm: row.realm, user: row.user, clientValue: Vector.client, secretBlock: row.block,
                timestamp: row.time))
    }

    @Test("an empty or truncated signature is refused", arguments: [0, 16, 31])
    func cutSignature(length: Int) throws {
        let server = SRPServer(try Self.verifier(), random: Self.fixed(Vector.privateServer))
        #expect(!accepts(server, Array(try #require(Hex.decode(Vector.signature)).prefix(length))))
    }

    @Test(
        "both sides agree for every first byte of salt and password",
        arguments: ["p", "Corr3ct-Horse!", "Größe-12", "🔑 two words", "a\u{308}", "ä"],
        [[0x80, 1], [0x0F, 2], [0x7F, 3], [0xFF, 0xFF]] as [[UInt8]])
    func agreement(password: String, beginning: [UInt8]) throws {
        let salt = beginning + RandomBytes.system(14)
        let server = SRPServer(SRPVerifier(realm: "Pool", user: "ann", password: Secret(password), salt: salt))
        let client = SRPClient()
        let block = RandomBytes.system(48)
        let signature = try #require(
            client.signature(
                realm: "Pool", user: "ann", password: Secret(password), salt: Hex.encode(salt),
                serverValue: server.publicValue, secretBlock: block, timestamp: "now"))
        #expect(
            server.accepts(
                signature, realm: "Pool", user: "ann", clientValue: client.publicValue, secretBlock: block,
                timestamp: "now"))
    }

    @Test("no two sign-ins have the same values")
    func fresh() throws {
        #expect(SRPClient().publicValue != SRPClient().publicValue)
        let verifier = try Self.verifier()
        #expect(SRPServer(verifier).publicValue != SRPServer(verifier).publicValue)
    }

    private func accepts(
        _ server: SRPServer, _ signature: [UInt8]? = nil, client: String = Vector.client
    ) -> Bool {
        server.accepts(
            signature ?? Hex.decode(Vector.signature) ?? [], realm: Vector.realm, user: Vector.user,
            clientValue: client, secretBlock: Vector.secretBlock, timestamp: Vector.timestamp)
    }
}
