import Testing

@testable import Cryptography

@Suite("Password hashes of other systems")
struct ForeignHashTests {
    private let hasher = PasswordHasher(threads: 2, queueLimit: 512)

    @Test("the right password matches and needs a new hash", arguments: ForeignVectors.all)
    func right(vector: ForeignVector) async throws {
        #expect(try await hasher.verify(Array(vector.password.utf8), against: vector.text) == .yesNeedsRehash)
        #expect(try PasswordHashKind(of: vector.text) == vector.kind)
    }

    @Test("a longer, shorter or empty password, another case or a NUL does not match", arguments: ForeignVectors.all)
    func wrong(vector: ForeignVector) async throws {
        let password = Array(vector.password.utf8)
        var others = [
            password + [0x61], password + [0, 0x61], password.dropLast() + [0x7E], [0] + password,
            Array(vector.password.uppercased().utf8) + [0x41],
        ]
        if !Self.isOfHMAC(vector.kind) { others.append(password + [0]) }
        for other in others {
            #expect(try await hasher.verify(other, against: vector.text) == .no, "\(other)")
        }
        if !password.isEmpty { #expect(try await hasher.verify([], against: vector.text) == .no) }
    }

    /// RFC 2104 pads the key with zeros, so these hashes match a short password with a NUL after it.
    private static func isOfHMAC(_ kind: PasswordHashKind) -> Bool {
        [.pbkdf2, .scrypt, .firebase].contains(kind)
    }

    @Test("each kind has a vector")
    func kinds() {
        #expect(Set(ForeignVectors.all.map(\.kind)) == Set(PasswordHashKind.allCases))
    }

    @Test("a truncated hash is refused, or still has 128 bits of digest", arguments: ForeignVectors.all)
    func cutOff(vector: ForeignVector) throws {
        for end in vector.text.indices {
            guard let hash = try? ForeignHash(parsing: String(vector.text[..<end])) else { continue }
            #expect(Self.isOfHMAC(vector.kind) || vector.kind == .argon2, "\(vector.text[..<end])")
            #expect(hash.expected.count >= 16, "\(vector.text[..<end])")
        }
    }

    @Test("a hash with a prefix or suffix is refused", arguments: ForeignVectors.all)
    func surrounded(vector: ForeignVector) {
        for addition in ["$", "$x", " ", "\n", "=", "\u{301}", "é", "\0"] {
            #expect(throws: PasswordHashError.self) { try PasswordHashKind(of: vector.text + addition) }
            #expect(throws: PasswordHashError.self) { try PasswordHashKind(of: addition + vector.text) }
        }
    }

    @Test("a hash with one changed byte is refused, or is within the bounds", arguments: ForeignVectors.all)
    func damaged(vector: ForeignVector) {
        let bytes = Array(vector.text.utf8)
        for index in bytes.indices {
            for byte in Array("$,=./09AZaz-+!".utf8) where byte != bytes[index] {
                var damaged = bytes
                damaged[index] = byte
                Self.expectRefusedOrAffordable(String(decoding: damaged, as: UTF8.self))
            }
        }
    }

    @Test("random combinations of parts are refused, or are within the bounds")
    func mixed() {
        var random = SystemRandomNumberGenerator()
        let pieces =
            ForeignVectors.all.flatMap { HashText.parts($0.text) } + [
                "", "0", "4294967296", "rounds=1000", "rounds=999999999", "v=19",
            ]
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...7, using: &random)
            let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined(separator: "$")
            Self.expectRefusedOrAffordable(text)
        }
    }

    @Test("P-05: missing parts, or costs in their place, are refused, or are within the bounds")
    func regrouped() {
        for vector in ForeignVectors.all {
            let parts = HashText.parts(vector.text)
            for index in parts.indices {
                for piece in [[], [""], ["rounds=999999999"], ["ln=30,r=8,p=1"], ["31"], ["jzT"]] {
                    for end in index...min(index + 1, parts.count) {
                        Self.expectRefusedOrAffordable(
                            (parts[..<index] + piece + parts[end...]).joined(separator: "$"))
                    }
                }
            }
        }
    }

    private static func expectRefusedOrAffordable(_ text: String) {
        guard let hash = try? ForeignHash(parsing: text) else { return }
        switch hash {
        case .argon2(let hash): #expect(hash.parameters.memoryKiB <= 262_144, "\(text)")
        case .crypt(let hash):
            #expect(hash.expected.count >= 31, "\(text)")
            #expect(isAffordable(crypt: Substring(hash.setting)), "\(text)")
        case .pbkdf2(let hash): #expect((1...5_000_000).contains(hash.iterations), "\(text)")
        case .scrypt(let hash): #expect((hash.blockSize << hash.logN) * hash.parallelism <= 4 << 20, "\(text)")
        case .firebase(let hash): #expect(hash.blockSize << hash.logN <= 2 << 20, "\(text)")
        }
    }

    /// Reads the cost from libxcrypt's position, for any number of parts.
    private static func isAffordable(crypt setting: Substring) -> Bool {
        let rest = setting.dropFirst(3)
        switch setting.prefix(3) {
        case "$5$", "$6$":
            guard rest.hasPrefix("rounds=") else { return true }
            return Int(rest.dropFirst(7).prefix { $0 != "$" }).map { (1_000...1_000_000).contains($0) } ?? false
        case "$7$", "$y$":
            let logN = rest.utf8.dropFirst(setting.hasPrefix("$y$") ? 1 : 0).first.flatMap(HashText.cryptValue)
            return logN.map { $0 <= 21 } ?? false
        default: return Int(setting.dropFirst(4).prefix(2)).map { (4...14).contains($0) } ?? false
        }
    }

    @Test(
        "a hash of an unknown kind is refused with that reason",
        arguments: [
            ("", .malformedHash), ("x", .malformedHash), ("$", .unsupportedHash), ("$1$salt$digest", .unsupportedHash),
            ("md5$salt$5d41402abc4b2a76b9719d911017c592", .unsupportedHash), ("plain text", .malformedHash),
            ("$2x$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e", .unsupportedHash),
            ("$2b$4$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e", .malformedHash),
            ("$2b$+4$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e", .malformedHash),
            ("bcrypt$$5$somesalt$LYDm9wv8Bmj0JnjKFd04iLBpiTRAqXvPRdEFunFxgJC", .malformedHash),
            ("argon2$$2b$04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e", .unsupportedHash),
            ("$5$rounds=999$somesalt$LYDm9wv8Bmj0JnjKFd04iLBpiTRAqXvPRdEFunFxgJC", .malformedHash),
            ("$5$seventeencharsalt$LYDm9wv8Bmj0JnjKFd04iLBpiTRAqXvPRdEFunFxgJC", .malformedHash),
            ("$5$some:alt$LYDm9wv8Bmj0JnjKFd04iLBpiTRAqXvPRdEFunFxgJC", .malformedHash),
            ("$y$k75$abcdefghijkl$pG0KXbHxpjIKguh3BCfALSHrI366WlMzNka7nozr8.8", .unsupportedHash),
            ("$pbkdf2-md5$1000$c29tZXNhbHQ$hirnoVyAli13im5u.kKtl9FcHKU", .unsupportedHash),
            ("$pbkdf2-sha256$i=1000,l=20$c29tZXNhbHQ$Uzi.pReLWBmS8wGPbNSgeL3lU.JUaiXvlaU7MHB8Tng", .malformedHash),
            ("scrypt$1000$somesalt$8$1$RUPdysXOMBdPp5FrGMvEVztfS7c=", .malformedHash),
            ("pbkdf2_sha1$1000$somesalt$RUPdysXOMBdPp5FrGMvEVztfS7c", .malformedHash),
        ] as [(String, PasswordHashError)])
    func unknown(text: String, error: PasswordHashError) {
        #expect(throws: error) { try PasswordHashKind(of: text) }
    }
}
