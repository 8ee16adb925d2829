/// HMAC with SHA-256 (RFC 2104, FIPS 198-1).
///
/// Written over two digests: a context of OpenSSL's own costs several times the hashing of a short message.
package enum HMACSHA256 {
    private static let blockLength = 64

    package static func code(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        let key = key.count > blockLength ? SHA256.hash(key) : key
        let inner = SHA256.hash(padded(key, with: 0x36, before: message))
        return SHA256.hash(padded(key, with: 0x5C, before: inner))
    }

    private static func padded(_ key: [UInt8], with pad: UInt8, before message: [UInt8]) -> [UInt8] {
        var block: [UInt8] = []
        block.reserveCapacity(blockLength + message.count)
        for byte in key { block.append(byte ^ pad) }
        block.append(contentsOf: repeatElement(pad, count: blockLength - key.count))
        block.append(contentsOf: message)
        return block
    }
}

/// Key derivation with HMAC-SHA-256 (RFC 5869): one root key, many keys that tell nothing of one another.
package enum HKDF {
    /// `info` names the purpose and separates the keys; at most 8160 bytes can be derived.
    package static func sha256(key: [UInt8], info: String, length: Int) -> [UInt8] {
        sha256(key: key, salt: [], info: Array(info.utf8), length: length)
    }

    static func sha256(key: [UInt8], salt: [UInt8], info: [UInt8], length: Int) -> [UInt8] {
        precondition((0...255 * 32).contains(length), "HKDF yields at most 255 blocks")
        let root = HMACSHA256.code(key, key: salt)
        var derived: [UInt8] = []
        var block: [UInt8] = []
        var counter: UInt8 = 1
        while derived.count < length {
            block = HMACSHA256.code(block + info + [counter], key: root)
            derived += block
            counter &+= 1
        }
        return Array(derived.prefix(length))
    }
}
