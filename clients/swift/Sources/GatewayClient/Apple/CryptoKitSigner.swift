#if canImport(CryptoKit) && canImport(Security)
    import CryptoKit
    public import Foundation
    import Security

    /// Keys of the Secure Enclave where the device has one, else of CryptoKit (DPoP, RFC 9449).
    ///
    /// The store has the Secure Enclave's own form of a key, which works on this device alone, or else the key's bytes.
    public struct CryptoKitSigner: ProofSigning {
        /// The signer of the system.
        public init() {}

        /// The 32 bytes of the digest.
        public func sha256(_ bytes: Data) -> Data { CryptoKitHasher().sha256(bytes) }

        /// A new key; a Mac app without a signature of its own has no access to the Secure Enclave.
        public func newKey() throws -> Data {
            if SecureEnclave.isAvailable, let access = Self.access,
                let key = try? SecureEnclave.P256.Signing.PrivateKey(accessControl: access)
            {
                return key.dataRepresentation
            }
            return P256.Signing.PrivateKey().rawRepresentation
        }

        /// The public key: x and y.
        public func publicKey(of key: Data) throws -> Data {
            Self.isPlain(key)
                ? try P256.Signing.PrivateKey(rawRepresentation: key).publicKey.rawRepresentation
                : try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: key).publicKey.rawRepresentation
        }

        /// The signature: r and s.
        public func signature(for bytes: Data, with key: Data) throws -> Data {
            Self.isPlain(key)
                ? try P256.Signing.PrivateKey(rawRepresentation: key).signature(for: bytes).rawRepresentation
                : try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: key).signature(for: bytes)
                    .rawRepresentation
        }

        /// The Secure Enclave's form of a key is longer than its 32 bytes.
        private static func isPlain(_ key: Data) -> Bool { key.count == 32 }

        /// As for the tokens: background tasks can refresh after the first unlock.
        private static var access: SecAccessControl? {
            SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, .privateKeyUsage, nil)
        }
    }
#endif
