import COpenSSL

/// HMAC with SHA-256 (RFC 2104, FIPS 198-1).
///
/// It works on the stack: a context of OpenSSL costs several times the hashing of a short message.
package enum HMACSHA256 {
    package static func code(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: DigestAlgorithm.sha256.length) { output, count in
            unsafe copenssl_hmac_sha256(key, key.count, message, message.count, output.baseAddress)
            count = DigestAlgorithm.sha256.length
        }
    }

    /// The same without an allocation.
    static func code(_ message: Span<UInt8>, key: Span<UInt8>) -> InlineArray<32, UInt8> {
        var code = InlineArray<32, UInt8>(repeating: 0)
        unsafe message.withUnsafeBufferPointer { message in
            unsafe key.withUnsafeBufferPointer { key in
                var output = code.mutableSpan
                unsafe output.withUnsafeMutableBufferPointer { output in
                    unsafe copenssl_hmac_sha256(
                        key.baseAddress, key.count, message.baseAddress, message.count, output.baseAddress)
                }
            }
        }
        return code
    }
}

/// HMAC with SHA-1, for services without a better signature: SHA-1 collisions are no weakness within HMAC (RFC 6151).
package enum HMACSHA1 {
    private static let length = 20

    package static func code(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: length) { output, count in
            var written: UInt32 = 0
            let result = unsafe HMAC(
                EVP_sha1(), key, Int32(key.count), message, message.count, output.baseAddress, &written)
            unsafe precondition(result != nil && Int(written) == length, "OpenSSL could not make an HMAC")
            count = length
        }
    }
}

/// Key derivation with HMAC-SHA-256 (RFC 5869): independent keys from one root key.
enum HKDF {
    /// `info` names the purpose and separates the keys; at most 8160 bytes can be derived.
    static func sha256(key: [UInt8], info: String, length: Int) -> [UInt8] {
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
