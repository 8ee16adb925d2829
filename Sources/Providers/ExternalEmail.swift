/// Whether a provider's statement proves that the user receives mail at an address.
package enum EmailAuthority: Sendable, Equatable {
    /// The provider is an authority for this address and says it is verified.
    case verifiedByAuthority
    /// An address without proof: good for display, never for linking.
    case unverified
}

/// An address from a provider.
package struct ExternalEmail: Sendable, Equatable {
    /// In ASCII: an international domain in the spelling of DNS.
    package let address: String
    package let authority: EmailAuthority
    /// True for a relay address, which serves for contact at most and never links accounts.
    package let isRelay: Bool

    /// Takes an address with a plain ASCII name and at most 254 bytes (RFC 5321 §4.5.3.1.3); anything else is no address.
    ///
    /// Quoted and non-ASCII local parts are left out on purpose. Equal-looking spellings of them are different addresses,
    /// so they cannot be compared safely. Every way in which an address arrives leads here, so that a domain has one
    /// spelling everywhere.
    package init?(address: String, authority: EmailAuthority, isRelay: Bool = false) {
        guard let address = Self.spelling(of: address), Self.isPlain(address), !Self.isGuestName(address) else {
            return nil
        }
        self.address = address
        self.authority = authority
        self.isRelay = isRelay
    }

    /// The part after the `@`, in lower case.
    package var domain: String {
        address.lastIndex(of: "@").map { address[address.index(after: $0)...].lowercased() } ?? ""
    }

    /// Whether the domain contains only a provider's relay addresses.
    package var isOfRelayDomain: Bool { domain == AppleProvider.relayDomain }

    /// Entra's name of a guest, such as `ann_example.org#EXT#@tenant.onmicrosoft.com`: it receives no mail, and the tenant
    /// that made it says nothing about the mailbox in it.
    static func isGuestName(_ text: String) -> Bool {
        text.utf8.contains(UInt8(ascii: "#")) && text.lowercased().contains("#ext#")
    }

    private static func spelling(of address: String) -> String? {
        guard address.utf8.contains(where: { $0 >= 0x80 }) else { return address }
        guard let at = address.firstIndex(of: "@") else { return nil }
        let name = address[..<at]
        guard let domain = InternationalDomain.ascii(String(address[address.index(after: at)...])) else { return nil }
        return "\(name)@\(domain)"
    }

    private static func isPlain(_ address: String) -> Bool {
        let bytes = address.utf8
        guard bytes.count <= 254, let at = bytes.firstIndex(of: UInt8(ascii: "@")) else { return false }
        let local = bytes[..<at]
        return (1...64).contains(local.count) && local.allSatisfy(isLocalByte)
            && isDomain(bytes[bytes.index(after: at)...])
    }

    private static func isDomain(_ domain: Substring.UTF8View.SubSequence) -> Bool {
        var (dots, length) = (0, 0)
        for byte in domain {
            if byte == UInt8(ascii: ".") {
                guard (1...63).contains(length) else { return false }
                (dots, length) = (dots + 1, 0)
            } else {
                guard isDomainByte(byte) else { return false }
                length += 1
            }
        }
        return dots >= 1 && (1...63).contains(length)
    }

    /// The `atext` of RFC 5322 §3.2.3 and the dot.
    private static func isLocalByte(_ byte: UInt8) -> Bool {
        isDomainByte(byte) || ".!#$%&'*+/=?^_`{|}~".utf8.contains(byte)
    }

    private static func isDomainByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
