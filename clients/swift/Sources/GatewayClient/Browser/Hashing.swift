public import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#endif

/// Computes SHA-256, for Apple's nonce and for PKCE.
///
/// Apple systems have ``CryptoKitHasher``. Foundation on Linux has no SHA-256, and this library has no dependency: pass
/// one of your own there, such as swift-crypto's.
public protocol SHA256Hashing: Sendable {
    /// The 32 bytes of the digest.
    func sha256(_ bytes: Data) -> Data
}

#if canImport(CryptoKit)
    /// SHA-256 of CryptoKit.
    public struct CryptoKitHasher: SHA256Hashing {
        /// The hasher of the system.
        public init() {}

        /// The 32 bytes of the digest.
        public func sha256(_ bytes: Data) -> Data { Data(SHA256.hash(data: bytes)) }
    }
#endif

extension Nonce {
    /// The value for `ASAuthorizationAppleIDRequest.nonce`: the SHA-256 in lower-case hexadecimal.
    public func hashed(by hasher: some SHA256Hashing) -> String {
        hasher.sha256(Data(value.value.utf8)).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined()
    }
}

/// Base64url without padding.
enum Base64URL {
    static func encode(_ bytes: Data) -> String {
        bytes.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    static func decode(_ text: String) -> Data? {
        let plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))
    }

    /// 32 bytes of the system's secure generator.
    static func random() -> String { encode(Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })) }
}
