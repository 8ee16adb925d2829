import COpenSSL

/// A digest of OpenSSL, fetched once: the fetch costs more than hashing a short text.
///
/// `@unchecked Sendable`: a fetched `EVP_MD` never changes, and OpenSSL allows its use from any thread.
@safe final class DigestAlgorithm: @unchecked Sendable {
    /// For imported hashes, within HMAC, where its collisions are no weakness.
    static let sha1 = DigestAlgorithm("SHA1", length: 20)
    static let sha256 = DigestAlgorithm("SHA256", length: 32)
    static let sha384 = DigestAlgorithm("SHA384", length: 48)
    static let sha512 = DigestAlgorithm("SHA512", length: 64)

    let pointer: OpaquePointer
    let length: Int

    /// Stops the program if OpenSSL lacks the digest: nothing could work without it.
    private init(_ name: StaticString, length: Int) {
        guard let pointer = unsafe EVP_MD_fetch(nil, name.description, nil) else {
            preconditionFailure("OpenSSL offers no \(name)")
        }
        unsafe self.pointer = pointer
        self.length = length
    }

    deinit {
        unsafe EVP_MD_free(pointer)
    }

    func hash(_ bytes: Span<UInt8>) -> [UInt8] {
        unsafe bytes.withUnsafeBufferPointer { input in
            unsafe [UInt8](unsafeUninitializedCapacity: length) { output, count in
                unsafe hash(input, to: output)
                count = length
            }
        }
    }

    /// Computes SHA-256, which every request needs, on the stack: a context of OpenSSL needs an allocation.
    private func hash(_ input: UnsafeBufferPointer<UInt8>, to output: UnsafeMutableBufferPointer<UInt8>) {
        if self === Self.sha256 { return unsafe copenssl_sha256(input.baseAddress, input.count, output.baseAddress) }
        var written: UInt32 = 0
        let result = unsafe EVP_Digest(input.baseAddress, input.count, output.baseAddress, &written, pointer, nil)
        precondition(result == 1 && Int(written) == length, "OpenSSL could not hash")
    }
}

/// SHA-256 (FIPS 180-4).
package enum SHA256 {
    package static func hash(_ bytes: [UInt8]) -> [UInt8] { hash(bytes.span) }
    package static func hash(_ bytes: Span<UInt8>) -> [UInt8] { DigestAlgorithm.sha256.hash(bytes) }

    /// The digest of the text's UTF-8 bytes.
    package static func hash(_ text: String) -> [UInt8] { hash(Array(text.utf8)) }
}

/// SHA-1 (FIPS 180-4), for the range format of breached passwords alone: it is broken for signatures.
package enum SHA1 {
    package static func hash(_ bytes: [UInt8]) -> [UInt8] { DigestAlgorithm.sha1.hash(bytes.span) }
}

/// SHA-384 (FIPS 180-4).
package enum SHA384 {
    package static func hash(_ bytes: [UInt8]) -> [UInt8] { DigestAlgorithm.sha384.hash(bytes.span) }
}

/// SHA-512 (FIPS 180-4).
package enum SHA512 {
    package static func hash(_ bytes: [UInt8]) -> [UInt8] { DigestAlgorithm.sha512.hash(bytes.span) }
}
