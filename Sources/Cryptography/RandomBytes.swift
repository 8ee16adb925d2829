import COpenSSL

/// The only source of randomness; a test supplies its own.
package struct RandomBytes: Sendable {
    private let generate: @Sendable (Int) -> [UInt8]

    package init(_ generate: @escaping @Sendable (Int) -> [UInt8]) {
        self.generate = generate
    }

    package func callAsFunction(_ count: Int) -> [UInt8] {
        generate(count)
    }

    /// OpenSSL's generator, seeded by the kernel; if it fails, the kernel itself.
    ///
    /// It never returns weaker bytes.
    package static let system = RandomBytes { count in
        var bytes = [UInt8](repeating: 0, count: count)
        if unsafe RAND_bytes(&bytes, Int32(count)) == 1 { return bytes }
        ERR_clear_error()
        var kernel = SystemRandomNumberGenerator()
        for index in bytes.indices {
            bytes[index] = UInt8.random(in: .min ... .max, using: &kernel)
        }
        return bytes
    }
}
