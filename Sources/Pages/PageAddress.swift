/// The addresses that links and forms may contain.
enum PageAddress {
    /// Whether it is a path of ours, a web address, an app scheme named after a domain (RFC 8252 §7.1), or an
    /// authenticator app's address.
    ///
    /// Anything else that a handler lets through by mistake, above all `javascript:`, would act in our name.
    static func isHarmless(_ address: String) -> Bool {
        let span = address.utf8Span.span
        if span.count > 0, span[0] == UInt8(ascii: "/") {
            // Two slashes, or characters that browsers treat as such, lead to another host.
            let isOwn = span.count == 1 || span[1] != UInt8(ascii: "/") && span[1] != UInt8(ascii: "\\")
            return isOwn && span.indices.allSatisfy { span[$0] > 0x20 }
        }
        let bytes = address.utf8
        if address.hasPrefix("otpauth://totp/") { return bytes.allSatisfy { $0 > 0x20 } }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = bytes[..<colon]
        return scheme.elementsEqual("https".utf8) || scheme.elementsEqual("http".utf8)
            || scheme.contains(UInt8(ascii: ".")) && scheme.allSatisfy(isSchemeByte)
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"): true
        default: false
        }
    }
}
