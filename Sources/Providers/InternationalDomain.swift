import CIDN2

/// Domain names in the one spelling that DNS knows: ASCII, by UTS 46 without transitional mappings.
///
/// Browsers send it from e-mail fields and the typed spelling from others, so both must become the same key. Names that
/// only look alike stay different.
enum InternationalDomain {
    /// The name in ASCII and lower case; nil for a name that cannot be one.
    ///
    /// A name in ASCII stays as it is, because DNS compares it so.
    static func ascii(_ name: String) -> String? {
        guard name.utf8.contains(where: { $0 >= 0x80 }) else { return name }
        // Longer than any spelling of a name, and a NUL would end the text for the library.
        guard name.utf8.count <= 1_024, !name.utf8.contains(0) else { return nil }
        var found: UnsafeMutablePointer<UInt8>?
        // Not IDN2_USE_STD3_ASCII_RULES: it drops characters silently, and two names would become one.
        let flags = Int32(IDN2_NFC_INPUT.rawValue | IDN2_NONTRANSITIONAL.rawValue)
        let result = unsafe Array(name.utf8 + [0]).withUnsafeBufferPointer { bytes in
            unsafe idn2_lookup_u8(bytes.baseAddress, &found, flags)
        }
        guard result == IDN2_OK.rawValue, let text = unsafe found else { return nil }
        defer { unsafe idn2_free(text) }
        return unsafe String(cString: text).lowercased()
    }
}
