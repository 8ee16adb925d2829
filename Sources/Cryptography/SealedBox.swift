import JSON

/// The reason why a sealed value was not opened.
package enum SealedBoxError: Error, Equatable, Sendable {
    case malformed
    case unknownVersion(UInt8)
    /// Sealed under a master key that is no longer configured.
    case unknownKey(id: String)
    /// The value was altered, or sealed for another purpose or under another key with the same id.
    case notAuthentic
}

/// Authenticated encryption for stored values: AES-256-GCM under a key of the purpose.
///
/// Layout: version (1), length of the key id (1), key id, nonce (12), ciphertext, tag (16). Version, key id and purpose
/// are authenticated too, so that a value sealed for one column does not open in another.
package struct SealedBox: Sendable {
    private static let version: UInt8 = 1
    private let keys: MasterKeys

    package init(_ keys: MasterKeys) {
        self.keys = keys
    }

    package func seal(_ plain: [UInt8], purpose: String) -> [UInt8] {
        let key = keys.keys[0]
        let header = Self.header(key)
        let nonce = RandomBytes.system(AESGCM.nonceLength)
        let sealed = AESGCM.seal(
            plain, key: Self.key(key, purpose), nonce: nonce, authenticating: header + Array(purpose.utf8))
        return header + nonce + sealed
    }

    package func open(_ sealed: [UInt8], purpose: String) throws(SealedBoxError) -> [UInt8] {
        guard let version = sealed.first else { throw .malformed }
        guard version == Self.version else { throw .unknownVersion(version) }
        let bodyStart = 2 + (sealed.count > 1 ? Int(sealed[1]) : 0)
        guard bodyStart > 2, sealed.count >= bodyStart + AESGCM.nonceLength + AESGCM.tagLength else { throw .malformed }
        let key = try key(id: String(decoding: sealed[2..<bodyStart], as: UTF8.self))
        let plain = AESGCM.open(
            Array(sealed[(bodyStart + AESGCM.nonceLength)...]), key: Self.key(key, purpose),
            nonce: Array(sealed[bodyStart..<bodyStart + AESGCM.nonceLength]),
            authenticating: Array(sealed[..<bodyStart]) + Array(purpose.utf8))
        guard let plain else { throw .notAuthentic }
        return plain
    }

    /// The first bytes of values that are sealed now; those under an older key begin otherwise.
    package var header: [UInt8] { Self.header(keys.keys[0]) }

    private static func header(_ key: MasterKeys.Key) -> [UInt8] {
        [version, UInt8(key.id.utf8.count)] + Array(key.id.utf8)
    }

    private func key(id: String) throws(SealedBoxError) -> MasterKeys.Key {
        guard let key = keys.keys.first(where: { $0.id.hasSameBytes(as: id) }) else { throw .unknownKey(id: id) }
        return key
    }

    private static func key(_ key: MasterKeys.Key, _ purpose: String) -> [UInt8] {
        HKDF.sha256(key: key.secret.revealed, info: "sealed box 1: " + purpose, length: AESGCM.keyLength)
    }
}
