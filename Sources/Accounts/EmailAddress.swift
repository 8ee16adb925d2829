import Providers

/// An address that mail can be sent to, and the key it is known by.
///
/// Two addresses are the same when their bytes are equal after ASCII letters were put into lower case. Nothing else is
/// folded: Unicode turns `K` (the Kelvin sign) into `k` and full-width letters into plain ones, and a proof of one
/// mailbox would become a proof of another.
package struct EmailAddress: Sendable, Equatable {
    /// The address as it was written.
    package let text: String
    /// What accounts are found by.
    package let key: String

    /// Refuses what ``ExternalEmail`` refuses: all but plain ASCII addresses of at most 254 bytes.
    package init?(_ text: String) {
        guard ExternalEmail(address: text, authority: .unverified) != nil else { return nil }
        self.text = text
        key = text.utf8.contains(where: Self.isCapital) ? Self.folded(text) : text
    }

    /// What is counted by instead of ``key``: the mailbox that mail to the address most likely reaches.
    ///
    /// A `+tag` is left out, as are the dots of Gmail's. Accounts are never found by this.
    package var throttleKey: String {
        let parts = key.split(separator: "@", maxSplits: 1)
        guard parts.count == 2, let name = parts[0].split(separator: "+", omittingEmptySubsequences: false).first,
            !name.isEmpty
        else { return key }
        let isGmail = ["gmail.com", "googlemail.com"].contains(parts[1])
        return isGmail ? "\(name.filter { $0 != "." })@gmail.com" : "\(name)@\(parts[1])"
    }

    private static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

    private static func folded(_ text: String) -> String {
        String(decoding: text.utf8.map { isCapital($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// The address as a stranger may see it who knows it: `a•••@e•••.com`.
    package var masked: String {
        let ending = text.lastIndex(of: ".").map { String(text[$0...]) } ?? ""
        return maskedWithoutEnding + ending
    }

    /// The same for whoever may not know it: `a•••@e•••`.
    ///
    /// Of a made-up one nothing shows that it is.
    package var maskedWithoutEnding: String {
        let parts = text.split(separator: "@", maxSplits: 1)
        guard parts.count == 2, let first = parts[0].first, let host = parts[1].first else { return "•••" }
        return "\(first)•••@\(host)•••"
    }
}
