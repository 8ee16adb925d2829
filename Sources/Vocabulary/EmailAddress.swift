import Providers

/// An e-mail address, and the key that identifies it.
///
/// Two addresses are equal if their names are equal after lowercasing ASCII letters, and their domains are one in DNS:
/// an international domain is spelt in ASCII by UTS 46. Nothing else of the name is folded: Unicode turns `K` (the Kelvin
/// sign) into `k` and full-width letters into plain ones, so a proof of one mailbox would count for another.
package struct EmailAddress: Sendable, Equatable {
    /// The address as it was written, with its domain in ASCII.
    package let text: String
    /// The key of account look-ups.
    package let key: String

    /// Refuses the same as ``ExternalEmail``.
    package init?(_ typed: String) {
        guard let text = ExternalEmail(address: typed, authority: .unverified)?.address else { return nil }
        self.text = text
        key = text.utf8.contains(where: Self.isCapital) ? Self.folded(text) : text
    }

    /// The throttle key instead of ``key``: the mailbox that most likely receives the mail.
    ///
    /// A `+tag` and Gmail's dots are removed. Accounts are never looked up by this.
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

    /// The masked address for a caller who knows it: `a•••@e•••.com`.
    package var masked: String {
        let ending = text.lastIndex(of: ".").map { String(text[$0...]) } ?? ""
        return maskedWithoutEnding + ending
    }

    /// The masked address for other callers: `a•••@e•••`.
    ///
    /// An invented address looks like a real one.
    package var maskedWithoutEnding: String {
        let parts = text.split(separator: "@", maxSplits: 1)
        guard parts.count == 2, let first = parts[0].first, let host = parts[1].first else { return "•••" }
        return "\(first)•••@\(host)•••"
    }
}
