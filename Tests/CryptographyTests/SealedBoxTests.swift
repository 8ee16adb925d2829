import Testing

@testable import Cryptography

@Suite("Sealed boxes")
struct SealedBoxTests {
    private static let one = "k1:" + Base64URL.encode([UInt8](repeating: 1, count: 32))
    private static let two = "k2:" + Base64URL.encode([UInt8](repeating: 2, count: 32))

    @Test(
        "AES-256-GCM gives test cases 13 and 14 of the GCM specification",
        arguments: [
            (0, "530f8afbc74536b9a963b4f1c4cb738b"),
            (16, "cea7403d4d606b6e074ec5d3baf39d18" + "d0d1c8a799996bf0265b98b5d48ab919"),
        ])
    func vectors(length: Int, expected: String) {
        let key = [UInt8](repeating: 0, count: 32)
        let nonce = [UInt8](repeating: 0, count: 12)
        let plain = [UInt8](repeating: 0, count: length)
        let sealed = AESGCM.seal(plain, key: key, nonce: nonce, authenticating: [])
        #expect(Hex.encode(sealed) == expected)
        #expect(AESGCM.open(sealed, key: key, nonce: nonce, authenticating: []) == plain)
        for length in 0..<AESGCM.tagLength {
            #expect(AESGCM.open(Array(sealed.prefix(length)), key: key, nonce: nonce, authenticating: []) == nil)
        }
    }

    @Test(
        "a sealed value opens for the same purpose only",
        arguments: ["", "token", String(repeating: "x", count: 5000)])
    func roundTrip(text: String) throws {
        let box = SealedBox(try MasterKeys(Self.one))
        let sealed = box.seal(Array(text.utf8), purpose: "upstream")
        #expect(try box.open(sealed, purpose: "upstream") == Array(text.utf8))
        #expect(throws: SealedBoxError.notAuthentic) { try box.open(sealed, purpose: "signing") }
        #expect(box.seal(Array(text.utf8), purpose: "upstream") != sealed)
    }

    @Test("a change of any byte is detected")
    func tampering() throws {
        let box = SealedBox(try MasterKeys(Self.one))
        let sealed = box.seal([1, 2, 3], purpose: "p")
        for index in sealed.indices {
            var altered = sealed
            altered[index] ^= 1
            #expect(throws: SealedBoxError.self) { try box.open(altered, purpose: "p") }
        }
        for length in 0..<sealed.count {
            #expect(throws: SealedBoxError.self) { try box.open(Array(sealed[..<length]), purpose: "p") }
        }
        #expect(throws: SealedBoxError.notAuthentic) { try box.open(sealed + [0], purpose: "p") }
    }

    @Test("after a rotation, the newest key seals and the older one still opens")
    func rotation() throws {
        let before = SealedBox(try MasterKeys(Self.one))
        let after = SealedBox(try MasterKeys("\(Self.two),\(Self.one)"))
        #expect(try after.open(before.seal([7], purpose: "p"), purpose: "p") == [7])
        #expect(throws: SealedBoxError.unknownKey(id: "k2")) {
            try before.open(after.seal([7], purpose: "p"), purpose: "p")
        }
    }

    @Test("derived keys differ by purpose and master key, the newest first")
    func derivation() throws {
        let keys = try MasterKeys("\(Self.two),\(Self.one)")
        #expect(keys.derived("a") == keys.derivedAll("a")[0])
        #expect(Set(keys.derivedAll("a") + keys.derivedAll("b")).count == 4)
        #expect(try keys.derivedAll("a")[1] == MasterKeys(Self.one).derived("a"))
        #expect(keys.derived("a", length: 64).prefix(32) == keys.derived("a")[...])
    }

    @Test(
        "master keys that are not well formed are refused by position",
        arguments: [
            ("", .empty), ("k1", .malformedEntry(position: 1)), (":AAAA", .malformedEntry(position: 1)),
            ("k 1:AAAA", .malformedEntry(position: 1)), ("k1:AAAA", .malformedKey(position: 1)),
            ("\(one)=", .malformedKey(position: 1)), ("\(one),", .malformedEntry(position: 2)),
            ("\(one), \(two)", .malformedEntry(position: 2)), ("\(one),\(one)", .repeatedID(position: 2)),
        ] as [(String, MasterKeyError)])
    func malformed(text: String, error: MasterKeyError) {
        #expect(throws: error) { try MasterKeys(text) }
    }
}
