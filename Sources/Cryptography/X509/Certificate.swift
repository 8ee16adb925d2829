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

    /// Reads one or more certificates in PEM, one after the other, with any text between them.
    package static func reading(pem: String) throws(OpenSSLError) -> [Certificate] {
        let text = Array(pem.utf8)
        let certificates = unsafe text.withUnsafeBufferPointer { unsafe read(pem: $0) }
        let isAtEnd =
            ERR_GET_LIB(ERR_peek_last_error()) == ERR_LIB_PEM
            && ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE
        guard isAtEnd, !certificates.isEmpty else { throw OpenSSLError(draining: .readCertificate) }
        ERR_clear_error()
        return certificates
    }

    /// The certificates before the first unreadable place; the error stays in OpenSSL's queue.
    private static func read(pem text: UnsafeBufferPointer<UInt8>) -> [Certificate] {
        var certificates: [Certificate] = []
        guard let source = unsafe BIO_new_mem_buf(text.baseAddress, Int32(text.count)) else { return [] }
        defer { unsafe BIO_free(source) }
        ERR_clear_error()
        while let pointer = unsafe PEM_read_bio_X509(source, nil, { _, _, _, _ in -1 }, nil) {
            unsafe certificates.append(Certificate(adopting: pointer))
        }
        return certificates
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
