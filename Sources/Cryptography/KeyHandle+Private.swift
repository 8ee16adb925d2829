import COpenSSL

extension KeyHandle {
    static func generateEC(_ curve: Curve) throws(OpenSSLError) -> KeyHandle {
        try unsafe generate(type: "EC") { context in
            unsafe EVP_PKEY_CTX_set_group_name(context, curve.groupName)
        }
    }

    static func generateRSA(bits: Int) throws(OpenSSLError) -> KeyHandle {
        guard (shortestModulus...longestModulus).contains(bits) else { throw OpenSSLError(draining: .unsuitableKey) }
        return try unsafe generate(type: "RSA") { context in
            unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits))
        }
    }

    private static func generate(
        type: StaticString, configure: (OpaquePointer) -> Int32
    ) throws(OpenSSLError) -> KeyHandle {
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, type.description, nil) else {
            throw OpenSSLError(draining: .generateKey)
        }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1, unsafe configure(context) == 1,
            unsafe EVP_PKEY_generate(context, &key) == 1, let key = unsafe key
        else { throw OpenSSLError(draining: .generateKey) }
        return try unsafe KeyHandle(adopting: key)
    }

    static func reading(pem: String) throws(OpenSSLError) -> KeyHandle {
        let text = Array(pem.utf8)
        guard let key = unsafe text.withUnsafeBufferPointer({ unsafe readPEM($0) }) else {
            throw OpenSSLError(draining: .readKey)
        }
        ERR_clear_error()
        return try unsafe KeyHandle(adopting: key)
    }

    /// The callback supplies no passphrase: without one OpenSSL would ask on the terminal.
    private static func readPEM(_ text: UnsafeBufferPointer<UInt8>) -> OpaquePointer? {
        guard let source = unsafe BIO_new_mem_buf(text.baseAddress, Int32(text.count)) else { return nil }
        defer { unsafe BIO_free(source) }
        return unsafe PEM_read_bio_PrivateKey(source, nil, { _, _, _, _ in -1 }, nil)
    }

    static func reading(pkcs8 der: [UInt8]) throws(OpenSSLError) -> KeyHandle {
        guard let key = unsafe der.withUnsafeBufferPointer({ unsafe readPKCS8($0) }) else {
            throw OpenSSLError(draining: .readKey)
        }
        return try unsafe KeyHandle(adopting: key)
    }

    private static func readPKCS8(_ der: UnsafeBufferPointer<UInt8>) -> OpaquePointer? {
        guard let start = der.baseAddress else { return nil }
        var next: UnsafePointer<UInt8>? = unsafe start
        guard let document = unsafe d2i_PKCS8_PRIV_KEY_INFO(nil, &next, der.count) else { return nil }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(document) }
        guard unsafe next == start + der.count else { return nil }
        return unsafe EVP_PKCS82PKEY(document)
    }

    func pkcs8() throws(OpenSSLError) -> Secret {
        guard let document = unsafe EVP_PKEY2PKCS8(pointer) else { throw OpenSSLError(draining: .writeKey) }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(document) }
        var der: UnsafeMutablePointer<UInt8>?
        let length = unsafe Int(i2d_PKCS8_PRIV_KEY_INFO(document, &der))
        guard length > 0, let der = unsafe der else { throw OpenSSLError(draining: .writeKey) }
        defer { unsafe CRYPTO_clear_free(der, length, nil, 0) }
        return unsafe Secret(Array(UnsafeBufferPointer(start: der, count: length)))
    }
}
