import JSON
import Testing

@testable import Cryptography

/// The digest that identifies a token in the replay ledger.
@Suite("The digest of a token")
struct TokenDigestTests {
    /// Orders of the curves (SEC 2, sections 2.4.2, 2.5.1 and 2.6.1).
    private static let orders: [(algorithm: SignatureAlgorithm, order: String)] = [
        (.ES256, "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551"),
        (
            .ES384,
            "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973"
        ),
        (
            .ES512,
            "01FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF"
                + "FA51868783BF2F966B7FCC0148F709A5D03BB5C9B8899C47AEBB6FB71E91386409"
        ),
    ]

    /// (r, n − s) in place of (r, s), which anyone can compute and which verifies too.
    private static func turnedRound(_ signature: [UInt8], order: [UInt8]) -> [UInt8] {
        var difference = order
        var borrow = 0
        for (index, byte) in zip(order.indices, signature.suffix(order.count)).reversed() {
            let digit = Int(order[index]) - Int(byte) - borrow
            borrow = digit < 0 ? 1 : 0
            difference[index] = UInt8(digit & 0xFF)
        }
        return signature.prefix(order.count) + difference
    }

    @Test("J-17: a token with the negated ECDSA signature is the same token", arguments: orders)
    func malleable(row: (algorithm: SignatureAlgorithm, order: String)) throws {
        let key = try TestKeys.key(for: row.algorithm)
        let header = TokenForge.header(["alg": .string(row.algorithm.rawValue)])
        let signed = [header, TokenForge.claims()].map { Base64URL.encode(JSON.object($0).bytes()) }
            .joined(separator: ".")
        let signature = try key.sign(Array(signed.utf8), algorithm: row.algorithm)
        let other = Self.turnedRound(signature, order: try #require(Hex.decode(row.order)))
        let digests = try [signature, other].map { signature in
            let jwt = try JWT(parsing: signed + "." + Base64URL.encode(signature))
            #expect(jwt.isSigned(by: key.publicKey, row.algorithm))
            return jwt.signedDigest
        }
        #expect(signature != other && digests[0] == digests[1])
    }

    @Test("another header or other claims make a different token")
    func others() throws {
        let tokens = try [
            TokenForge.token(), TokenForge.token(claims: TokenForge.claims(["jti": "1"])),
            TokenForge.token(header: TokenForge.header(["x": 1])),
        ]
        #expect(Set(try tokens.map { try JWT(parsing: $0).signedDigest }).count == 3)
    }
}
