import Testing

@testable import Cryptography

@Suite("Password hashes")
struct PasswordHashTests {
    @Test("Argon2id gives the tag of RFC 9106 §5.3")
    func rfc9106() throws {
        let tag = try Argon2.digest(
            [UInt8](repeating: 1, count: 32), salt: [UInt8](repeating: 2, count: 16),
            parameters: Argon2Parameters(memoryKiB: 32, passes: 3, lanes: 4), length: 32,
            secret: [UInt8](repeating: 3, count: 8), associated: [UInt8](repeating: 4, count: 12))
        #expect(Hex.encode(tag) == "0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659")
    }

    /// From the reference implementation's test program, with the password "password" and the salt "somesalt".
    static let referenceHashes = [
        "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
        "$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc",
        "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
    ]

    @Test("K8: a hash reuses released memory, and the kept memory has a limit")
    func memory() throws {
        // A size that no other test uses.
        let size = (1 << 20) + 7 * 4_096
        let first = try #require(HashMemory.take(size))
        HashMemory.keep(first)
        let second = try #require(HashMemory.take(size))
        #expect(unsafe first.start == second.start)
        let third = try #require(HashMemory.take(size))
        #expect(unsafe third.start != second.start)
        for block in [second, third] { HashMemory.keep(block) }
        let large = try (0..<3).map { _ in try #require(HashMemory.take(96 << 20)) }
        for block in large {
            HashMemory.keep(block)
            #expect(HashMemory.keptBytes <= HashMemory.maximumKept)
        }
    }

    @Test("the hashes of the reference implementation are read and verified", arguments: referenceHashes)
    func reference(encoded: String) async throws {
        let hasher = PasswordHasher(threads: 1, queueLimit: 1)
        #expect(try PasswordHash(encoded).encoded == encoded)
        #expect(try await hasher.verify(Array("password".utf8), against: encoded) == .yesNeedsRehash)
        #expect(try await hasher.verify(Array("passwore".utf8), against: encoded) == .no)
    }

    @Test(
        "P-05: a stored hash with an absurd cost is refused before any allocation",
        arguments: [
            "m=1048576,t=2,p=1", "m=262145,t=1,p=1", "m=4294967295,t=1,p=1", "m=9999999999,t=1,p=1", "m=19456,t=17,p=1",
            "m=19456,t=4294967295,p=1", "m=19456,t=2,p=17", "m=262144,t=9,p=1", "m=7,t=1,p=1", "m=16,t=1,p=3",
        ])
    func absurdCost(parameters: String) async {
        let hasher = PasswordHasher(threads: 1, queueLimit: 1)
        let encoded = "$argon2id$v=19$\(parameters)$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"
        await #expect(throws: PasswordHashError.costRefused) { try await hasher.verify([], against: encoded) }
    }

    @Test(
        "P-05: the highest allowed cost is read",
        arguments: ["m=262144,t=8,p=1", "m=32768,t=16,p=16", "m=8,t=1,p=1"])
    func affordableCost(parameters: String) {
        #expect(throws: Never.self) {
            try PasswordHash("$argon2id$v=19$\(parameters)$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4")
        }
    }

    @Test(
        "a text that differs from a hash in any part is refused",
        arguments: [
            ("", .malformedHash), ("x", .malformedHash), ("$", .unsupportedHash), ("$2b$12$abc", .unsupportedHash),
            ("$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEg", .unsupportedHash),
            ("$argon2id$v=16$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEg", .unsupportedHash),
            ("$argon2id$v=19$m=256,t=2$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEg", .malformedHash),
            ("$argon2id$v=19$t=2,m=256,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEg", .malformedHash),
            ("$argon2id$v=19$m=-256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEg", .malformedHash),
            ("$argon2id$v=19$m=0256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEg", .malformedHash),
            ("$argon2id$v=19$m=99999999999999999999,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEg", .malformedHash),
            ("$argon2id$v=19$m=256,t=2,p=1$c29tZQ$nf65EOgLrQMR/uIPnA4rEg", .malformedHash),
            ("$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65", .malformedHash),
            ("$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ=$nf65EOgLrQMR/uIPnA4rEg", .malformedHash),
            ("$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEg$", .malformedHash),
        ] as [(String, PasswordHashError)])
    func malformed(encoded: String, error: PasswordHashError) {
        #expect(throws: error) { try PasswordHash(encoded) }
    }
}
