import COpenSSL

/// The public half of a key as numbers, big-endian.
enum KeyNumbers: Equatable, Sendable {
    case rsa(modulus: [UInt8], exponent: [UInt8])
    case ec(Curve, x: [UInt8], y: [UInt8])

    init(of handle: KeyHandle) throws(OpenSSLError) {
        switch handle.kind {
        case .rsa:
            self = .rsa(modulus: try handle.number("n"), exponent: try handle.number("e"))
        case .ec(let curve):
            self = .ec(
                curve, x: try handle.number("qx", length: curve.length),
                y: try handle.number("qy", length: curve.length))
        }
    }

    /// Makes the key; fails for a point that is not on its curve.
    func makeHandle() throws(OpenSSLError) -> KeyHandle {
        guard let pointer = unsafe makePointer() else { throw OpenSSLError(draining: .readKey) }
        return try unsafe KeyHandle(adopting: pointer)
    }

    private func makePointer() -> OpaquePointer? {
        switch self {
        case .rsa(let modulus, let exponent):
            return unsafe copenssl_rsa_public_key(modulus, Int32(modulus.count), exponent, Int32(exponent.count))
        case .ec(let curve, let x, let y):
            let uncompressed: [UInt8] = [4]
            let point = uncompressed + x + y
            return unsafe copenssl_ec_public_key(curve.groupName, point, point.count)
        }
    }
}
