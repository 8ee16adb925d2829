#if canImport(Security)
    public import Foundation
    import Security

    /// Keeps tokens in the Keychain of this device.
    ///
    /// They are readable after the first unlock, so that background tasks can refresh, and never leave the device in a
    /// backup. The Keychain outlives the app: after a reinstallation the user may still be signed in.
    public struct KeychainTokenStore: TokenStore {
        private let service: String
        private let accessGroup: String?

        /// A store with its own service name.
        ///
        /// - Parameter accessGroup: shares the tokens with app extensions and apps that have this Keychain access group,
        ///   such as `TEAM123456.com.example.shared`.
        public init(service: String = "login-gateway", accessGroup: String? = nil) {
            (self.service, self.accessGroup) = (service, accessGroup)
        }

        /// The error of a Keychain function.
        public struct KeychainFailure: Error, Sendable {
            /// The result code of Security.framework.
            public let status: Int32
        }

        /// The stored bytes.
        public func read(_ name: String) async throws -> Data? {
            var query = item(name)
            query[kSecReturnData as String] = true
            query[kSecMatchLimit as String] = kSecMatchLimitOne
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess else { throw KeychainFailure(status: status) }
            return found as? Data
        }

        /// Changes the item, or adds it.
        public func write(_ data: Data, as name: String) async throws {
            let values: [String: Any] = [
                kSecValueData as String: data,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            let status = SecItemUpdate(item(name) as CFDictionary, values as CFDictionary)
            if status == errSecSuccess { return }
            guard status == errSecItemNotFound else { throw KeychainFailure(status: status) }
            let added = SecItemAdd(item(name).merging(values) { $1 } as CFDictionary, nil)
            guard added == errSecSuccess else { throw KeychainFailure(status: added) }
        }

        /// Removes the item.
        public func remove(_ name: String) async throws {
            let status = SecItemDelete(item(name) as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else { throw KeychainFailure(status: status) }
        }

        /// The data protection Keychain on macOS too: the older one has no access groups.
        private func item(_ name: String) -> [String: Any] {
            var item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: name,
                kSecUseDataProtectionKeychain as String: true,
            ]
            if let accessGroup { item[kSecAttrAccessGroup as String] = accessGroup }
            return item
        }
    }
#endif
