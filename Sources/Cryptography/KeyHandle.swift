import COpenSSL

/// Owns an `EVP_PKEY`, private or public.
///
/// `@unchecked Sendable`: openssl-threads(7) allows several threads to use one key as long as none changes it. Nothing
/// here changes a key after `init`, and its reference count is atomic.
@safe final class KeyHandle: @unchecked Sendable {
    static let shortestModulus = 2048
    static let longestModulus = 8192

    let pointer: OpaquePointer
    let kind: KeyKind
    let contexts = PreparedContexts()

    /// Takes ownership, also when it throws.
    ///
    /// It refuses unsupported kinds, curves and lengths.
    init(adopting pointer: OpaquePointer) throws(OpenSSLError) {
        guard let kind = unsafe Self.kind(of: pointer) else {
            unsafe EVP_PKEY_free(pointer)
            throw OpenSSLError(draining: .unsuitableKey)
        }
        unsafe self.pointer = pointer
        self.kind = kind
    }

    deinit {
        unsafe EVP_PKEY_free(pointer)
    }

    private static func kind(of pointer: OpaquePointer) -> KeyKind? {
        if unsafe EVP_PKEY_is_a(pointer, "RSA") == 1 {
            let bits = unsafe Int(EVP_PKEY_get_bits(pointer))
            return (shortestModulus...longestModulus).contains(bits) ? .rsa(length: (bits + 7) / 8) : nil
        }
        guard unsafe EVP_PKEY_is_a(pointer, "EC") == 1 else { return nil }
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { name in
            var length = 0
            guard let start = name.baseAddress,
                unsafe EVP_PKEY_get_group_name(pointer, start, name.count, &length) == 1
            else { return nil }
            let groupName = unsafe String(cString: start)
            return Curve.allCases.first { $0.groupName == groupName }.map(KeyKind.ec)
        }
    }

    /// Whether this is an RSA key with the fingerprint of a faulty generator.
    var isFactorable: Bool {
        get throws(OpenSSLError) {
            guard case .rsa = kind else { return false }
            return ROCA.hasFingerprint(modulus: try number("n"))
        }
    }

    /// A number of the key, big-endian; left-padded to `length` when given.
    func number(_ name: String, length: Int? = nil) throws(OpenSSLError) -> [UInt8] {
        var number: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(pointer, name, &number) == 1, let number = unsafe number else {
            throw OpenSSLError(draining: .readKey)
        }
        defer { unsafe BN_clear_free(number) }
        let length = unsafe length ?? Int(BN_num_bits(number) + 7) / 8
        var bytes = [UInt8](repeating: 0, count: length)
        guard unsafe BN_bn2binpad(number, &bytes, Int32(length)) == Int32(length) else {
            throw OpenSSLError(draining: .readKey)
        }
        return bytes
    }
}
