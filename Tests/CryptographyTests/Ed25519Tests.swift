import Testing

@testable import Cryptography

@Suite("Ed25519")
struct Ed25519Tests {
    /// RFC 8032 §7.1, tests 1 to 3: public key, message, signature.
    private static let examples = [
        (
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe"
                + "24655141438e7a100b"
        ),
        (
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302a"
                + "eeb00d291612bb0c00"
        ),
        (
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed2"
                + "8dc027beceea1ec40a"
        ),
    ]

    @Test("the signatures of RFC 8032 are valid for their keys only", arguments: examples)
    func signatures(key: String, message: String, signature: String) throws {
        let publicKey = try Ed25519PublicKey(#require(Hex.decode(key)))
        let message = try #require(Hex.decode(message))
        let signature = try #require(Hex.decode(signature))
        #expect(publicKey.verify(signature, of: message))
        #expect(!publicKey.verify(signature, of: message + [0]))
        for bit in 0..<(8 * signature.count) {
            var altered = signature
            altered[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!publicKey.verify(altered, of: message), "bit \(bit)")
        }
        for wrongLength in [[], Array(signature.dropLast()), signature + [0]] {
            #expect(!publicKey.verify(wrongLength, of: message))
        }
    }

    @Test("a signature with the group order added to its second half is refused")
    func malleable() throws {
        let order = try #require(Hex.decode("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010"))
        let (key, message, signature) = Self.examples[1]
        var altered = try #require(Hex.decode(signature))
        var carry = 0
        for (index, digit) in order.enumerated() {
            let sum = Int(altered[32 + index]) + Int(digit) + carry
            altered[32 + index] = UInt8(sum & 0xFF)
            carry = sum >> 8
        }
        #expect(carry == 0)
        let publicKey = try Ed25519PublicKey(#require(Hex.decode(key)))
        #expect(!publicKey.verify(altered, of: try #require(Hex.decode(message))))
    }

    @Test(
        "points of small order are refused as keys",
        arguments: [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ])
    func smallOrder(point: String) throws {
        var bytes = try #require(Hex.decode(point))
        #expect(throws: OpenSSLError.self) { try Ed25519PublicKey(bytes) }
        bytes[31] |= 0x80
        #expect(throws: OpenSSLError.self) { try Ed25519PublicKey(bytes) }
    }

    @Test("a key has 32 bytes", arguments: [0, 31, 33, 57])
    func length(count: Int) {
        #expect(throws: OpenSSLError.self) { try Ed25519PublicKey([UInt8](repeating: 3, count: count)) }
    }
}
