/// The syntax of DNS names in URLs and mail addresses (RFC 1123 §2.1, and underscores, which occur in practice).
package enum HostName {
    package static func isValid(_ name: some StringProtocol) -> Bool {
        let name = name.hasSuffix(".") ? name.dropLast() : name[...]
        guard (1...253).contains(name.utf8.count) else { return false }
        return name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { isLabel($0) }
    }

    private static func isLabel(_ label: some StringProtocol) -> Bool {
        guard (1...63).contains(label.utf8.count), label.utf8.first != UInt8(ascii: "-"),
            !label.hasSuffix("-")
        else { return false }
        return label.utf8.allSatisfy { byte in
            switch ASCII.lowercased(byte) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
