import COpenSSL

/// The reasons of a failed OpenSSL call.
///
/// They leave OpenSSL's queue at once, so that the next failure does not report them.
package struct OpenSSLError: Error, Equatable, Sendable {
    package enum Operation: Equatable, Sendable {
        case generateKey, readKey, writeKey, readCertificate, sign
        /// The kind, curve or length of the key is unsupported, or does not fit this algorithm.
        case unsuitableKey
    }

    package let operation: Operation
    /// Library and reason of each entry, the oldest first.
    ///
    /// They name functions and formats, never key material.
    package let reasons: [String]

    /// Empties the calling thread's queue into a new error.
    init(draining operation: Operation) {
        self.operation = operation
        var reasons: [String] = []
        while case let code = ERR_get_error(), code != 0 {
            reasons.append(Self.reason(of: code))
        }
        self.reasons = reasons
    }

    private static func reason(of code: UInt) -> String {
        let capacity = 256
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            unsafe ERR_error_string_n(code, start, capacity)
            return unsafe String(cString: start)
        }
    }
}
