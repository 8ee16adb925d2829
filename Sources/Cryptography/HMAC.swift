import COpenSSL

/// HMAC with SHA-256 (RFC 2104, FIPS 198-1).
package enum HMACSHA256 {
    package static func code(_ message: [UInt8], key: [UInt8]) -> [UInt8] { code(message.span, key: key.span) }

    static func code(_ message: Span<UInt8>, key: Span<UInt8>) -> [UInt8] {
        unsafe HMACCode.make(message, key: key, EVP_sha256(), length: DigestAlgorithm.sha256.length)
    }
}

/// HMAC with SHA-1, for protocols that offer nothing better: collisions of SHA-1 do not weaken HMAC (RFC 6151).
package enum HMACSHA1 {
    package static func code(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        unsafe HMACCode.make(message.span, key: key.span, EVP_sha1(), length: DigestAlgorithm.sha1.length)
    }
}

/// OpenSSL's HMAC.
private enum HMACCode {
    static func make(
        _ message: Span<UInt8>, key: Span<UInt8>, _ digest: OpaquePointer?, length: Int
    ) -> [UInt8] {
        unsafe message.withUnsafeBufferPointer { message in
            unsafe key.withUnsafeBufferPointer { key in
                unsafe [UInt8](unsafeUninitializedCapacity: length) { output, count in
                    var written: UInt32 = 0
                    let result = unsafe HMAC(
                        digest, key.baseAddress, Int32(key.count), message.baseAddress, message.count,
                        output.baseAddress, &written)
                    unsafe precondition(result != nil && Int(written) == length, "OpenSSL could not make an HMAC")
                    count = length
                }
            }
        }
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
