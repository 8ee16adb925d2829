public import Foundation

/// Keeps small secrets on the device by name.
public protocol TokenStore: Sendable {
    /// The stored bytes; nil if there are none.
    func read(_ name: String) async throws -> Data?
    /// Stores the bytes in place of any others.
    func write(_ data: Data, as name: String) async throws
    /// Removes the bytes; no error if there are none.
    func remove(_ name: String) async throws
}

/// The Keychain on Apple systems, memory elsewhere.
///
/// Elsewhere use ``FileTokenStore`` to stay signed in after a restart.
public func defaultTokenStore() -> any TokenStore {
    #if canImport(Security)
        KeychainTokenStore()
    #else
        MemoryTokenStore()
    #endif
}

/// Keeps tokens until the process ends.
public actor MemoryTokenStore: TokenStore, CustomReflectable {
    private var items: [String: Data] = [:]

    /// An empty store.
    public init() {}

    /// The stored bytes.
    public func read(_ name: String) -> Data? { items[name] }
    /// Stores the bytes.
    public func write(_ data: Data, as name: String) { items[name] = data }
    /// Removes the bytes.
    public func remove(_ name: String) { items[name] = nil }

    /// Nothing: a dump would show the bytes of a short item, such as a key.
    public nonisolated var customMirror: Mirror { Mirror(self, children: []) }
}
