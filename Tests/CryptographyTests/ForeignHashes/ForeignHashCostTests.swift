import Testing

@testable import Cryptography

@Suite("Costs of imported hashes")
struct ForeignHashCostTests {
    private static let digest = "$c29tZXNhbHRzb21lc2FsdA$ytETQei6Pjo6kngSMxouNKSWgZqup9i8n5isXNSvKKM"
    private static let bcryptEnd = "$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e"
    private static let cryptEnd = "$somesalt$LYDm9wv8Bmj0JnjKFd04iLBpiTRAqXvPRdEFunFxgJC"
    private static let djangoDigest = "$3UXLHR2dsBArfqHwukhrdUO9gJfc1BvmMq0GPd9sP6E="

    @Test(
        "P-05: the highest allowed costs are read",
        arguments: [
            "$argon2i$v=19$m=262144,t=8,p=1" + digest, "$argon2id$v=19$m=262144,t=8,p=4" + digest,
            "$2b$14" + bcryptEnd, "bcrypt$$2b$14" + bcryptEnd,
            "$scrypt$ln=18,r=7,p=1" + digest, "$scrypt$ln=17,r=8,p=4" + digest, "$scrypt$ln=13,r=8,p=64" + digest,
            "scrypt$131072$salt$8$1" + djangoDigest,
            "$pbkdf2-sha256$5000000" + digest, "$pbkdf2-sha256$i=5000000,l=32" + digest,
            "pbkdf2_sha256$5000000$salt" + djangoDigest, "$5$rounds=1000000" + cryptEnd,
        ])
    func allowed(text: String) {
        #expect(throws: Never.self) { try PasswordHashKind(of: text) }
    }

    private static let sha256End = "$LYDm9wv8Bmj0JnjKFd04iLBpiTRAqXvPRdEFunFxgJC"
    private static let sha512End =
        "$/6/DOZ6XPt8TWos3ywDgUa/X8vByGWTZbxM1kg0wDOnc1co.8iO54MmmQYM15M1SFjcHgitRT279chPGc8rts0"

    /// libxcrypt reads `rounds=` in place of a salt as the cost, and the digest as the salt.
    @Test(
        "P-05: a cost in place of the salt is refused at import and sign-in, before any computation",
        arguments: ["rounds=999999999", "rounds=1000", "rounds=", "rounds=1000$rounds=9999999"])
    func costForSalt(salt: String) async throws {
        let hasher = PasswordHasher(threads: 1, queueLimit: 1)
        for text in ["$5$" + salt + Self.sha256End, "$6$" + salt + Self.sha512End] {
            // If this check fails, the next call would take hours.
            try #require(throws: PasswordHashError.malformedHash) { try PasswordHashKind(of: text) }
            await #expect(throws: PasswordHashError.malformedHash) { try await hasher.verify([], against: text) }
        }
    }

    @Test(
        "P-05: a cost beyond the bounds is refused at import and sign-in, before any computation",
        arguments: [
            "$argon2i$v=19$m=262145,t=1,p=1" + digest, "$argon2d$v=19$m=262144,t=9,p=1" + digest,
            "$argon2id$v=16$m=4294967295,t=1,p=1" + digest, "$argon2id$v=19$m=9999999999,t=1,p=1" + digest,
            "$argon2i$m=1024,t=17,p=1" + digest, "argon2$argon2i$v=19$m=262145,t=1,p=1" + digest,
            "$2b$15" + bcryptEnd, "$2a$31" + bcryptEnd, "$2y$99" + bcryptEnd, "bcrypt_sha256$$2b$15" + bcryptEnd,
            "$scrypt$ln=18,r=8,p=1" + digest, "$scrypt$ln=19,r=8,p=1" + digest, "$scrypt$ln=17,r=8,p=5" + digest,
            "$scrypt$ln=63,r=8,p=1" + digest, "$scrypt$ln=1,r=1,p=65" + digest,
            "$scrypt$ln=9999999999,r=1,p=1" + digest,
            "$scrypt$ln=1,r=9999999999,p=9999999999" + digest, "$scrypt$ln=21,r=2097152,p=2097152" + digest,
            "scrypt$1073741824$salt$8$1" + djangoDigest,
            "$firebase-scrypt$ln=19,r=8,p=1" + digest,
            "$pbkdf2-sha256$5000001" + digest, "$pbkdf2$2500001" + digest, "$pbkdf2-sha512$9999999999" + digest,
            "pbkdf2_sha256$5000001$salt" + djangoDigest,
            "$5$rounds=1000001" + cryptEnd, "$5$rounds=999999999" + cryptEnd,
            // N = 2^18 and r = 8 in passlib's form, and 2^26.
            "$7$G6..../....somesalt$oEkkZvuhxIY3VCX2c6eLNtL5hqSw5yPkm14wymfFYf2",
            "$7$O6..../....somesalt$oEkkZvuhxIY3VCX2c6eLNtL5hqSw5yPkm14wymfFYf2",
            "$7$8zzzzz/....somesalt$oEkkZvuhxIY3VCX2c6eLNtL5hqSw5yPkm14wymfFYf2",
            // N = 2^16 and r = 32.
            "$y$jDT$k2XAnEHBqQ1Ct2aMXFKNa/$Ry7oZ9ThqkDutyuKduodO92iRCkOPEVA3D3cGUEN1J1",
        ])
    func refused(text: String) async {
        let hasher = PasswordHasher(threads: 1, queueLimit: 1)
        #expect(throws: PasswordHashError.costRefused) { try PasswordHashKind(of: text) }
        await #expect(throws: PasswordHashError.costRefused) { try await hasher.verify([], against: text) }
    }
}
