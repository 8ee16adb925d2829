import COpenSSL

extension Certificate {
    package struct Extension: Equatable, Sendable {
        package let isCritical: Bool
        /// The DER within the extension's octet string.
        package let value: [UInt8]
    }

    /// Whether this is an authority's certificate by its basic constraints (RFC 5280 §4.2.1.9).
    ///
    /// `nil` when they are absent, or when any extension is unreadable or occurs twice.
    package var isAuthority: Bool? {
        let flags = unsafe X509_get_extension_flags(pointer)
        guard flags & UInt32(EXFLAG_INVALID) == 0, flags & UInt32(EXFLAG_BCONS) != 0 else { return nil }
        return flags & UInt32(EXFLAG_CA) != 0
    }

    /// The extensions with one object identifier, in dotted numbers.
    ///
    /// RFC 5280 §4.2 forbids more than one, but a certificate may still contain several.
    package func extensions(_ identifier: StaticString) -> [Extension] {
        guard let object = unsafe OBJ_txt2obj(identifier.description, 1) else { return [] }
        defer { unsafe ASN1_OBJECT_free(object) }
        var found: [Extension] = []
        var index = unsafe X509_get_ext_by_OBJ(pointer, object, -1)
        while index >= 0 {
            if let made = unsafe Extension(X509_get_ext(pointer, index)) { found.append(made) }
            index = unsafe X509_get_ext_by_OBJ(pointer, object, index)
        }
        return found
    }
}

extension Certificate.Extension {
    fileprivate init?(_ pointer: OpaquePointer?) {
        guard let pointer = unsafe pointer, let data = unsafe X509_EXTENSION_get_data(pointer) else { return nil }
        isCritical = unsafe X509_EXTENSION_get_critical(pointer) != 0
        value = unsafe Array(
            UnsafeBufferPointer(start: ASN1_STRING_get0_data(data), count: Int(ASN1_STRING_length(data))))
    }
}
