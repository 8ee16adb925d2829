import Glibc

/// A source of random bytes: ``system``, except where a test knows the bytes of one computation.
package struct RandomBytes: Sendable {
    private let generate: @Sendable (Int) -> [UInt8]

    package init(_ generate: @escaping @Sendable (Int) -> [UInt8]) {
        self.generate = generate
    }

    package func callAsFunction(_ count: Int) -> [UInt8] {
        generate(count)
    }

    /// The kernel's generator (getrandom(2)).
    ///
    /// It never returns weaker bytes: glibc ends the process if the kernel has none.
    package static let system = RandomBytes { count in
        unsafe [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            if let start = bytes.baseAddress { unsafe arc4random_buf(start, count) }
            filled = count
        }
    }
}
