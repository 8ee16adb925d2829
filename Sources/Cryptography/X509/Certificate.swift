import COpenSSL

/// An X.509 certificate (RFC 5280), parsed but not checked.
///
/// `@unchecked Sendable`: nothing here changes a certificate after `init`, where OpenSSL reads its extensions once. Its
/// reference count is atomic.
@safe package final class Certificate: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes ownership.
    private init(adopting pointer: OpaquePointer) {
        unsafe self.pointer = pointer
        unsafe X509_check_purpose(pointer, -1, 0)
        ERR_clear_error()
    }

    deinit {
        unsafe X509_free(pointer)
    }

    /// Reads exactly one certificate in DER.
    package convenience init(der: [UInt8]) throws(OpenSSLError) {
        guard let pointer = unsafe der.withUnsafeBufferPointer({ unsafe Self.read(der: $0) }) else {
            throw OpenSSLError(draining: .readCertificate)
        }
        unsafe self.init(adopting: pointer)
    }

    private static func read(der: UnsafeBufferPointer<UInt8>) -> OpaquePointer? {
        guard let start = der.baseAddress else { return nil }
        var next: UnsafePointer<UInt8>? = unsafe start
        guard let pointer = unsafe d2i_X509(nil, &next, der.count) else { return nil }
        guard unsafe next == start + der.count else {
            unsafe X509_free(pointer)
            return nil
        }
        return unsafe pointer
    }

    /// The only version with extensions; it is written as 2, and a certificate may contain any other number.
    package var isVersion3: Bool { unsafe X509_get_version(pointer) == 2 }

    /// The key of the certificate; fails for unsupported kinds and for a factorable key.
    package func publicKey() throws(OpenSSLError) -> PublicKey {
        let handle = try keyHandle()
        guard try !handle.isFactorable else { throw OpenSSLError(draining: .unsuitableKey) }
        return try PublicKey(handle)
    }

    /// Whether its key is a factorable RSA key, with which anyone could sign.
    var isFactorable: Bool { (try? keyHandle().isFactorable) ?? false }

    private func keyHandle() throws(OpenSSLError) -> KeyHandle {
        guard let key = unsafe X509_get_pubkey(pointer) else { throw OpenSSLError(draining: .readKey) }
        return try unsafe KeyHandle(adopting: key)
    }
}
