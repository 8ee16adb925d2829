import COpenSSL

/// Comparison that takes as long for the first differing byte as for the last.
package enum ConstantTime {
    /// Lengths may show; contents do not.
    package static func equal(_ a: [UInt8], _ b: [UInt8]) -> Bool { equal(a.span, b.span) }

    package static func equal(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
        guard a.count == b.count else { return false }
        return unsafe a.withUnsafeBufferPointer { a in
            unsafe b.withUnsafeBufferPointer { b in unsafe CRYPTO_memcmp(a.baseAddress, b.baseAddress, a.count) == 0 }
        }
    }
}
