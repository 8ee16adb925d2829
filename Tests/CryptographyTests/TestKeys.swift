@testable import Cryptography

/// Shared keys, made once because an RSA key takes long.
enum TestKeys {
    static let rsa = Result { try PrivateKey.generateRSA(bits: 2048) }
    static let p256 = Result { try PrivateKey.generateP256() }
    static let p384 = Result { try PrivateKey.generate(.p384) }
    static let p521 = Result { try PrivateKey.generate(.p521) }

    /// A key that fits the algorithm.
    static func key(for algorithm: SignatureAlgorithm) throws -> PrivateKey {
        switch algorithm.family {
        case .rsaPKCS1, .rsaPSS: try rsa.get()
        case .ecdsa(.p256): try p256.get()
        case .ecdsa(.p384): try p384.get()
        case .ecdsa(.p521): try p521.get()
        }
    }

    /// A P-256 key from its private number alone, as the shortest PKCS #8 document.
    static func p256(privateNumber: [UInt8]) throws -> PrivateKey {
        let head: [UInt8] = [
            0x30, 0x41, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08,
            0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x04, 0x27, 0x30, 0x25, 0x02, 0x01, 0x01, 0x04, 0x20,
        ]
        return try PrivateKey(pkcs8DER: head + privateNumber)
    }
}
