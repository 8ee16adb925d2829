import COpenSSL

/// Comparison in a time that does not depend on the first differing byte.
package enum ConstantTime {
    /// The time may reveal lengths, but not contents.
    package static func equal(_ a: [UInt8], _ b: [UInt8]) -> Bool { equal(a.span, b.span) }

    package static func equal(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
        guard a.count == b.count else { return false }
        return unsafe a.withUnsafeBufferPointer { a in
            unsafe b.withUnsafeBufferPointer { b in unsafe CRYPTO_memcmp(a.baseAddress, b.baseAddress, a.count) == 0 }
        }
    }
}
