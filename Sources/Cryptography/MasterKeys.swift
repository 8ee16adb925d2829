import JSON

/// The reason why the text of the master keys was refused.
///
/// Positions are 1-based, and errors never contain key material.
package enum MasterKeyError: Error, Equatable, Sendable {
    case empty
    /// Not `id:key`, with an id of 1 to 32 letters, digits, `_` or `-`.
    case malformedEntry(position: Int)
    /// Not 32 bytes in unpadded base64url.
    case malformedKey(position: Int)
    case repeatedID(position: Int)
}

/// The root keys of all others: the first one seals, every one opens, so that keys can be rotated.
package struct MasterKeys: Sendable {
    struct Key: Sendable {
        let id: String
        let secret: Secret
    }

    let keys: [Key]

    /// The ids, with the sealing key first.
    package var ids: [String] { keys.map(\.id) }

    /// No key, for a program that opens nothing: sealing and deriving with it ends the program.
    package static let none = Self(keys: [])

    private init(keys: [Key]) {
        self.keys = keys
    }

    /// Reads `k2:base64url32bytes,k1:…`, the newest key first.
    package init(_ text: String) throws(MasterKeyError) {
        var keys: [Key] = []
        for (index, entry) in text.split(separator: ",", omittingEmptySubsequences: false).enumerated() {
            guard !text.isEmpty else { throw .empty }
            let key = try Self.key(entry, position: index + 1)
            guard !keys.contains(where: { $0.id.hasSameBytes(as: key.id) }) else {
                throw .repeatedID(position: index + 1)
            }
            keys.append(key)
        }
        self.keys = keys
    }

    private static func key(_ entry: Substring, position: Int) throws(MasterKeyError) -> Key {
        let parts = entry.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...32).contains(parts[0].utf8.count), parts[0].utf8.allSatisfy(isIDByte) else {
            throw .malformedEntry(position: position)
        }
        guard let bytes = Base64URL.decode(parts[1]), bytes.count == 32 else {
            throw .malformedKey(position: position)
        }
        return Key(id: String(parts[0]), secret: Secret(bytes))
    }

    private static func isIDByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// A key for one purpose, from the newest master key.
    package func derived(_ info: String, length: Int = 32) -> [UInt8] {
        HKDF.sha256(key: keys[0].secret.revealed, info: info, length: length)
    }

    /// The keys for one purpose from every master key, the newest first, to read the data of older keys.
    package func derivedAll(_ info: String) -> [[UInt8]] {
        keys.map { HKDF.sha256(key: $0.secret.revealed, info: info, length: 32) }
    }

    /// The same with the id of each master key, for rows that name their key.
    package func derivedByID(_ info: String) -> [(id: String, key: [UInt8])] {
        keys.map { ($0.id, HKDF.sha256(key: $0.secret.revealed, info: info, length: 32)) }
    }
}
