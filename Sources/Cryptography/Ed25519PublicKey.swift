import COpenSSL

/// The public half of an Ed25519 key pair (RFC 8032); checks signatures.
///
/// It is separate from ``PublicKey``, so that no token verifier can accept it.
///
/// `@unchecked Sendable`: openssl-threads(7) allows several threads to use one key as long as none changes it. Nothing
/// here changes the key after `init`.
@safe package final class Ed25519PublicKey: @unchecked Sendable {
    private static let length = 32
    private static let signatureLength = 64

    private let pointer: OpaquePointer

    /// Reads the 32 bytes of the encoded point.
    ///
    /// It refuses points of small order: signatures valid for them can be made without a private key.
    package init(_ bytes: [UInt8]) throws(OpenSSLError) {
        guard bytes.count == Self.length, !SmallOrderPoints.contains(bytes),
            let pointer = unsafe EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, bytes, bytes.count)
        else { throw OpenSSLError(draining: .unsuitableKey) }
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe EVP_PKEY_free(pointer)
    }

    /// Whether the private half signed the message.
    package func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == Self.signatureLength, let context = unsafe EVP_MD_CTX_new() else { return false }
        defer {
            unsafe EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        guard unsafe EVP_DigestVerifyInit_ex(context, nil, nil, nil, nil, pointer, nil) == 1 else { return false }
        return unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}

/// The encodings of the points of Ed25519 with an order that divides 8, including non-canonical ones.
private enum SmallOrderPoints {
    static func contains(_ point: [UInt8]) -> Bool {
        var y = point
        // The highest bit is the sign of the other coordinate; each of these points has a mirror image.
        y[y.count - 1] &= 0x7F
        return all.contains(y)
    }

    /// The y coordinates, little-endian: 0, 1, the two of order 8, and -1; then 0 and 1 with the prime added.
    private static let all: [[UInt8]] = [
        number(lowest: 0x00, others: 0x00, highest: 0x00),
        number(lowest: 0x01, others: 0x00, highest: 0x00),
        [
            0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0,
            0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
        ],
        [
            0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F,
            0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
        ],
        number(lowest: 0xEC, others: 0xFF, highest: 0x7F),
        number(lowest: 0xED, others: 0xFF, highest: 0x7F),
        number(lowest: 0xEE, others: 0xFF, highest: 0x7F),
    ]

    private static func number(lowest: UInt8, others: UInt8, highest: UInt8) -> [UInt8] {
        [lowest] + [UInt8](repeating: others, count: 30) + [highest]
    }
}
