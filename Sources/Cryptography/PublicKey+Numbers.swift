extension PublicKey {
    /// Takes a point of P-256 by its coordinates, 32 bytes each; fails for a point off the curve.
    package convenience init(p256X x: [UInt8], y: [UInt8]) throws(JWKError) {
        try self.init(KeyNumbers.checkedEC(.p256, x: x, y: y))
    }

    /// Takes an RSA key of 2048 to 8192 bits by its numbers, big-endian and without leading zeros.
    package convenience init(rsaModulus modulus: [UInt8], exponent: [UInt8]) throws(JWKError) {
        guard modulus.first != 0 else { throw .malformed(member: "n") }
        guard exponent.first != 0 else { throw .malformed(member: "e") }
        try self.init(KeyNumbers.checkedRSA(modulus: modulus, exponent: exponent))
    }
}
