import Cryptography
import Testing
import WebAuthnTestAuthenticator

@testable import WebAuthn

@Suite("COSE keys")
struct COSEKeyTests {
    private static let rsaKey = Result { try PrivateKey.generateRSA(bits: 2048) }

    /// The key of RFC 8032 §7.1, test 2, with its message and signature.
    private static let ed25519: (key: String, message: [UInt8], signature: String) = (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", [0x72],
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )

    private func read(_ entries: [(CBORItem, CBORItem)]) throws -> COSEKey {
        try COSEKey(parsing: CBORItem.map(entries).encoded)
    }

    private func octetKeyPair() throws -> [(CBORItem, CBORItem)] {
        let x = try #require(Hex.decode(Self.ed25519.key))
        return [
            (.integer(1), .integer(1)), (.integer(3), .integer(-8)), (.integer(-1), .integer(6)),
            (.integer(-2), .bytes(x)),
        ]
    }

    @Test("an Ed25519 key checks the signature of RFC 8032")
    func edDSA() throws {
        let key = try read(octetKeyPair())
        let signature = try #require(Hex.decode(Self.ed25519.signature))
        #expect(key.algorithm == .edDSA)
        #expect(key.verify(signature, of: Self.ed25519.message))
        #expect(!key.verify(signature, of: [0x73]))
        #expect(!key.verify(signature + [0], of: Self.ed25519.message))
        #expect(!key.verify([], of: Self.ed25519.message))
    }

    @Test("an RSA key checks PKCS #1 signatures")
    func rs256() throws {
        let privateKey = try Self.rsaKey.get()
        let key = try read(COSEKeyItem.entries(privateKey.publicKey))
        #expect(key.algorithm == .rs256)
        #expect(key.verify(try privateKey.sign([1], algorithm: .RS256), of: [1]))
        #expect(!key.verify(try privateKey.sign([1], algorithm: .PS256), of: [1]))
        #expect(!key.verify(try privateKey.sign([1], algorithm: .RS384), of: [1]))
    }

    private static let octetKeyPairs: [Refusal<[(CBORItem, CBORItem)]>] = [
        .init("no curve", .publicKeyMalformed) { $0.remove(at: 2) },
        .init("no x", .publicKeyMalformed) { $0.remove(at: 3) },
        .init("a y", .publicKeyMalformed) { $0.append((.integer(-3), .bytes([1]))) },
        .init("Ed448", .publicKeyUnsuitable) { $0[2].1 = .integer(7) },
        .init("X25519", .publicKeyUnsuitable) { $0[2].1 = .integer(4) },
        .init("another type", .publicKeyUnsuitable) { $0[0].1 = .integer(2) },
        .init("an x that is a text", .publicKeyMalformed) { $0[3].1 = .text("x") },
        .init("a short x", .publicKeyUnsuitable) { $0[3].1 = .bytes([UInt8](repeating: 3, count: 31)) },
        .init("a long x", .publicKeyUnsuitable) { $0[3].1 = .bytes([UInt8](repeating: 3, count: 33)) },
        .init("no algorithm", .publicKeyMalformed) { $0.remove(at: 1) },
        .init("Ed25519 by its own number, which nobody was asked for", .algorithmNotAllowed) {
            $0[1].1 = .integer(-19)
        },
        .init("the neutral point", .publicKeyUnsuitable) {
            $0[3].1 = .bytes([1] + [UInt8](repeating: 0, count: 31))
        },
        .init("the neutral point with a sign", .publicKeyUnsuitable) {
            $0[3].1 = .bytes([1] + [UInt8](repeating: 0, count: 30) + [0x80])
        },
        .init("a point of order 4", .publicKeyUnsuitable) { $0[3].1 = .bytes([UInt8](repeating: 0, count: 32)) },
    ]

    private static let rsaKeys: [Refusal<[(CBORItem, CBORItem)]>] = [
        .init("no modulus", .publicKeyMalformed) { $0.remove(at: 2) },
        .init("no exponent", .publicKeyMalformed) { $0.remove(at: 3) },
        .init("a modulus that is a number", .publicKeyMalformed) { $0[2].1 = .integer(15) },
        .init("a private number", .publicKeyMalformed) { $0.append((.integer(-3), .bytes([1]))) },
        .init("another type", .publicKeyUnsuitable) { $0[0].1 = .integer(2) },
        .init("an empty modulus", .publicKeyUnsuitable) { $0[2].1 = .bytes([]) },
        .init("1024 bits", .publicKeyUnsuitable) { $0[2].1 = .bytes([UInt8](repeating: 0xFF, count: 128)) },
        .init("2047 bits", .publicKeyUnsuitable) {
            $0[2].1 = .bytes([0x7F] + [UInt8](repeating: 0xFF, count: 255))
        },
        .init("8200 bits", .publicKeyUnsuitable) { $0[2].1 = .bytes([UInt8](repeating: 0xFF, count: 1025)) },
        .init("a leading zero", .publicKeyUnsuitable) {
            $0[2].1 = .bytes([0] + [UInt8](repeating: 0xFF, count: 256))
        },
        .init("an even modulus", .publicKeyUnsuitable) { $0[2].1 = .bytes([UInt8](repeating: 0xFE, count: 256)) },
        .init("an empty exponent", .publicKeyUnsuitable) { $0[3].1 = .bytes([]) },
        .init("the exponent 1", .publicKeyUnsuitable) { $0[3].1 = .bytes([1]) },
        .init("the exponent 3", .publicKeyUnsuitable) { $0[3].1 = .bytes([3]) },
        .init("an even exponent", .publicKeyUnsuitable) { $0[3].1 = .bytes([1, 0, 2]) },
        .init("a long exponent", .publicKeyUnsuitable) { $0[3].1 = .bytes([1, 0, 0, 0, 1]) },
        .init("a leading zero of the exponent", .publicKeyUnsuitable) { $0[3].1 = .bytes([0, 1, 0, 1]) },
    ]

    @Test("an Ed25519 key is accepted in one form only", arguments: octetKeyPairs)
    func octetKeyPairRefused(refusal: Refusal<[(CBORItem, CBORItem)]>) throws {
        var entries = try octetKeyPair()
        try refusal.change(&entries)
        #expect(throws: refusal.reason) { try read(entries) }
    }

    @Test("an RSA key is accepted in one form only, and not with unsafe numbers", arguments: rsaKeys)
    func rsaRefused(refusal: Refusal<[(CBORItem, CBORItem)]>) throws {
        var entries = COSEKeyItem.entries(try Self.rsaKey.get().publicKey)
        try refusal.change(&entries)
        #expect(throws: refusal.reason) { try read(entries) }
    }
}
