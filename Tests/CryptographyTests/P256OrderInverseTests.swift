import Testing

@testable import Cryptography

@Suite("Inverses modulo the order of P-256")
struct P256OrderInverseTests {
    /// SEC 2, section 2.4.2.
    private static let order = Hex.decode("FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551") ?? []

    /// OpenSSL multiplies.
    private func isInverse(_ inverse: [UInt8], of number: [UInt8]) -> Bool {
        let product = BigNumber(number).times(BigNumber(inverse), modulo: BigNumber(Self.order))
        return inverse.count == 32 && BigNumber(inverse) < BigNumber(Self.order) && product.hex == "1"
    }

    private static func number(_ hex: String) -> [UInt8] {
        Hex.decode(String(repeating: "0", count: 64 - hex.count) + hex) ?? []
    }

    @Test(
        "numbers at the edges: small, next to the order, around each limb's and each word's end",
        arguments: [
            "1", "2", "3", "ff", "ffffffff", "100000000", "3fffffffffffffff", "4000000000000000", "ffffffffffffffff",
            "10000000000000000", "fffffffffffffffffffffffffffffff", "100000000000000000000000000000000",
            "8000000000000000000000000000000000000000000000000000000000000000",
            "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550",
            "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc63254f",
            "7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8",
            "fffffffeffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        ])
    func edges(hex: String) {
        let number = Self.number(hex)
        #expect(isInverse(P256OrderInverse.inverse(of: number), of: number))
    }

    @Test("two hundred numbers at random, and each power of two")
    func many() {
        let powers = (0..<256).map { place in
            (0..<32).map { $0 == 31 - place / 8 ? UInt8(1) << (place % 8) : 0 }
        }
        // Below the order, whatever the other bytes are.
        let random = (0..<200).map { _ in [0x7F] + RandomBytes.system(31) }
        for number in powers.filter({ BigNumber($0) < BigNumber(Self.order) }) + random {
            #expect(isInverse(P256OrderInverse.inverse(of: number), of: number), "\(Hex.encode(number))")
        }
    }

    @Test("an inverse that is not the nonce's makes no signature")
    func wrongInverse() throws {
        let signer = try P256Signer(KeyHandle.generateEC(.p256))
        let digest = SHA256.hash(Array("message".utf8))
        let nonce = [0x11] + RandomBytes.system(31)
        let right = P256OrderInverse.inverse(of: nonce)
        #expect(try signer.sign(digest: digest, nonce: nonce, inverse: right).count == 64)
        for place in [0, 15, 31] {
            var wrong = right
            wrong[place] ^= 1
            let error = try #require(throws: OpenSSLError.self) {
                try signer.sign(digest: digest, nonce: nonce, inverse: wrong)
            }
            #expect(error.operation == .sign)
        }
    }
}
