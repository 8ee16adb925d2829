package import Outbound

/// A mail address that can stand unchanged in a header and in an SMTP command.
///
/// The local part is a dot-atom (RFC 5322 §3.2.3) of ASCII, the domain a DNS name. Quoted local parts, address literals
/// and addresses that need SMTPUTF8 are refused. This keeps line breaks, angle brackets and second addresses out.
package struct MailAddress: Sendable, Equatable {
    package let address: String
    /// Precedes the address, encoded when rendered; empty for none.
    package let name: String

    /// - Throws: `.invalidMessage("address")`.
    package init(_ address: String, name: String = "") throws(DeliveryError) {
        let halves = address.split(separator: "@", omittingEmptySubsequences: false)
        guard address.utf8.count <= 254, halves.count == 2, MailAddress.isLocalPart(halves[0]),
            !halves[1].hasSuffix("."), HostName.isValid(halves[1])
        else { throw .invalidMessage("address") }
        self.address = address
        self.name = name
    }

    /// The part after the `@`.
    package var domain: String {
        String(address.drop { $0 != "@" }.dropFirst())
    }

    private static func isLocalPart(_ text: Substring) -> Bool {
        guard (1...64).contains(text.utf8.count) else { return false }
        return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty && atom.utf8.allSatisfy { isAtomByte($0) }
        }
    }

    /// `atext` of RFC 5322 §3.2.3.
    static func isAtomByte(_ byte: UInt8) -> Bool {
        switch ASCII.lowercased(byte) {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
        }
    }
}
