import COpenSSL

/// Comparison that takes as long for the first differing byte as for the last.
package enum ConstantTime {
    /// Lengths may show; contents do not.
    package static func equal(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        guard a.count == b.count else { return false }
        return unsafe CRYPTO_memcmp(a, b, a.count) == 0
    }
}
