/// The nonce of a P-256 signature over a SHA-256 digest, derived from key and digest (RFC 6979 §3.2).
enum DeterministicNonce {
    /// The order of P-256, big-endian.
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    /// The letters are those of the RFC: `k` and `v` are the state of the generator.
    ///
    /// - Parameters:
    ///   - privateNumber: 32 bytes.
    ///   - digest: 32 bytes.
    static func p256(privateNumber: [UInt8], digest: [UInt8]) -> [UInt8] {
        // What the generator is seeded with: v, a separator, the private number, the digest. On the stack, since every
        // token is signed while its owner waits.
        var message = InlineArray<97, UInt8>(repeating: 0)
        message.replace(at: 33, with: privateNumber.span)
        message.replace(at: 65, with: reduced(digest).span)
        var k = InlineArray<32, UInt8>(repeating: 0)
        var v = InlineArray<32, UInt8>(repeating: 1)
        for separator: UInt8 in 0...1 {
            message.replace(at: 0, with: v.span)
            message[32] = separator
            k = HMACSHA256.code(message.span, key: k.span)
            v = HMACSHA256.code(v.span, key: k.span)
        }
        while true {
            v = HMACSHA256.code(v.span, key: k.span)
            let candidate = v.array
            if isUsable(candidate) { return candidate }
            message.replace(at: 0, with: v.span)
            message[32] = 0
            k = HMACSHA256.code(message.span.extracting(first: 33), key: k.span)
            v = HMACSHA256.code(v.span, key: k.span)
        }
    }

    /// In [1, order - 1].
    ///
    /// Refuses one candidate in four thousand million.
    private static func isUsable(_ candidate: [UInt8]) -> Bool {
        candidate.lexicographicallyPrecedes(order) && candidate.contains { $0 != 0 }
    }

    /// The digest modulo the order (`bits2octets`); both have 256 bits, so at most one subtraction is due.
    private static func reduced(_ digest: [UInt8]) -> [UInt8] {
        guard !digest.lexicographicallyPrecedes(order) else { return digest }
        var difference = digest
        var borrow = 0
        for index in digest.indices.reversed() {
            let value = Int(digest[index]) - Int(order[index]) - borrow
            borrow = value < 0 ? 1 : 0
            difference[index] = UInt8(truncatingIfNeeded: value)
        }
        return difference
    }
}

extension InlineArray where Element == UInt8 {
    fileprivate var array: [UInt8] {
        [UInt8](capacity: count) { array in
            for index in indices { array.append(self[index]) }
        }
    }

    fileprivate mutating func replace(at place: Int, with bytes: Span<UInt8>) {
        for index in bytes.indices { self[place + index] = bytes[index] }
    }
}
