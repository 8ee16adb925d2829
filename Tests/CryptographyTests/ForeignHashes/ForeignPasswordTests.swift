import Testing

@testable import Cryptography

@Suite("Passwords with imported hashes")
struct ForeignPasswordTests {
    private let hasher = PasswordHasher(threads: 2, queueLimit: 64)

    // bcrypt.hashpw(b"a" * 73, b"$2b$04$abcdefghijklmnopqrstuu"), the same text as for 72
    private static let ofLong = "$2b$04$abcdefghijklmnopqrstuuBzzIgyKkz7xMWYSzkIjUSnxEQFQ0WNe"

    @Test("bcrypt reads at most 72 bytes, as in the system of origin", arguments: [72, 73, 74, 200, 1_024])
    func long(count: Int) async throws {
        let password = [UInt8](repeating: 0x61, count: count)
        #expect(try await hasher.verify(password, against: Self.ofLong) == .yesNeedsRehash)
    }

    @Test("every byte before the seventy-third counts in bcrypt")
    func short() async throws {
        let short = [UInt8](repeating: 0x61, count: 71)
        #expect(try await hasher.verify(short, against: Self.ofLong) == .no)
        #expect(try await hasher.verify(short + [0x62, 0x61], against: Self.ofLong) == .no)
        #expect(try await hasher.verify(short + [0x61, 0], against: Self.ofLong) == .no)
        #expect(try await hasher.verify(short + [0x61, 0x61, 0, 0x61], against: Self.ofLong) == .no)
    }

    @Test("in Django's bcrypt_sha256, the hundredth byte counts")
    func digested() async throws {
        let text = "bcrypt_sha256$$2b$04$abcdefghijklmnopqrstuugx2ZcUdj4MifIXvs/QwBsAizByf4XWu"
        let password = [UInt8](repeating: 0x61, count: 99)
        #expect(try await hasher.verify(password + [0x61], against: text) == .yesNeedsRehash)
        #expect(try await hasher.verify(password + [0x62], against: text) == .no)
        #expect(try await hasher.verify(password, against: text) == .no)
    }

    @Test("a password too long for crypt(3) is wrong, not an error", arguments: ["$5$", "$6$", "$7$", "$y$"])
    func tooLong(prefix: String) async throws {
        let vector = try #require(ForeignVectors.all.first { $0.text.hasPrefix(prefix) })
        for count in [511, 512, 1_024] {
            let password = [UInt8](repeating: 0x61, count: count)
            #expect(try await hasher.verify(password, against: vector.text) == .no)
        }
    }

    // bcrypt.hashpw(p.encode(), b"$2b$04$abcdefghijklmnopqrstuu") for p = "pässwörd é" in NFC and in NFD;
    // passlib.hash.sha512_crypt.using(rounds=1000, salt="somesalt").hash(p) in NFD
    private static let ofComposed = "$2b$04$abcdefghijklmnopqrstuufm50givNCpnGMIY1GoRlfh.YeRyldTe"
    private static let ofDecomposed = [
        "$2b$04$abcdefghijklmnopqrstuuv.XF2ISziCQv1iCAGmcPqBmhKgkUr7O",
        "$6$rounds=1000$somesalt$bjUZh7inA6cf//jRUq4bCbaSWtiXs8ijmdAMQSynTjs2gqhP80Tx/4fNCUO/XatHQ3X1y/WWHgF/LpGn1wWVE/",
    ]
    private static let nfc = Array("p\u{E4}ssw\u{F6}rd \u{E9}".utf8)
    private static let nfd = Array("pa\u{308}sswo\u{308}rd e\u{301}".utf8)

    @Test("a password hashed in decomposed form matches in that form", arguments: ofDecomposed)
    func decomposed(text: String) async throws {
        #expect(try await hasher.verify(Self.nfc, typed: Self.nfd, against: text) == .yesNeedsRehash)
        #expect(try await hasher.verify(Self.nfc, typed: Self.nfc, against: text) == .no)
        #expect(try await hasher.verify(Self.nfc, against: text) == .no)
    }

    @Test("a password hashed in composed form matches in either form")
    func composed() async throws {
        #expect(try await hasher.verify(Self.nfc, typed: Self.nfd, against: Self.ofComposed) == .yesNeedsRehash)
        #expect(try await hasher.verify(Self.nfc, typed: Self.nfc, against: Self.ofComposed) == .yesNeedsRehash)
        #expect(try await hasher.verify(Self.nfd, typed: Self.nfd, against: Self.ofComposed) == .no)
    }

    @Test("our own hash is of the normalised password only")
    func own() async throws {
        let hash = try await hasher.hash(Self.nfc)
        #expect(try await hasher.verify(Self.nfc, typed: Self.nfd, against: hash) == .yes)
        #expect(try await hasher.verify(Array("other".utf8), typed: Self.nfc, against: hash) == .no)
    }
}
