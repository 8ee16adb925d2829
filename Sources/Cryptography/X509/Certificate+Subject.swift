import COpenSSL

extension Certificate {
    /// One attribute of a subject.
    package struct Attribute: Equatable, Sendable {
        package enum Kind: Equatable, Sendable {
            case country, organization, organizationalUnit, commonName, other
        }

        package let kind: Kind
        /// `nil` unless it is a UTF8String or a PrintableString with valid UTF-8.
        package let text: String?
    }

    /// The attributes of the subject, in their order.
    package var subject: [Attribute] {
        guard let name = unsafe X509_get_subject_name(pointer) else { return [] }
        return (0..<(unsafe X509_NAME_entry_count(name))).compactMap { index in
            guard let entry = unsafe X509_NAME_get_entry(name, index) else { return nil }
            return unsafe Attribute(entry)
        }
    }
}

extension Certificate.Attribute {
    fileprivate init(_ entry: OpaquePointer) {
        kind =
            switch unsafe OBJ_obj2nid(X509_NAME_ENTRY_get_object(entry)) {
            case NID_countryName: .country
            case NID_organizationName: .organization
            case NID_organizationalUnitName: .organizationalUnit
            case NID_commonName: .commonName
            default: .other
            }
        text = unsafe X509_NAME_ENTRY_get_data(entry).flatMap { unsafe Self.text($0) }
    }

    private static func text(_ value: UnsafeMutablePointer<ASN1_STRING>) -> String? {
        guard [V_ASN1_UTF8STRING, V_ASN1_PRINTABLESTRING].contains(unsafe ASN1_STRING_type(value)) else { return nil }
        let bytes = unsafe UnsafeBufferPointer(
            start: ASN1_STRING_get0_data(value), count: Int(ASN1_STRING_length(value)))
        return unsafe String(validating: bytes, as: UTF8.self)
    }
}
