import Providers

/// A value of the request that a refusal repeats: one line of bounded length.
///
/// Only values that are no secrets are repeated: ids, names and addresses, never tokens, codes or passwords.
package struct SentText: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    private static let longest = 200

    package init(_ sent: String) {
        let shown = sent.unicodeScalars.lazy.filter(\.isShownInLine).prefix(Self.longest + 1)
        let isCut = shown.count > Self.longest
        description = String(String.UnicodeScalarView(shown.prefix(Self.longest))) + (isCut ? "…" : "")
    }

    /// An address without its query, its fragment and its user.
    package var withoutQuery: String {
        let address = description.prefix { !"?#".contains($0) }
        guard let start = address.firstRange(of: "//")?.upperBound,
            let at = address[start...].prefix(while: { $0 != "/" }).lastIndex(of: "@")
        else { return String(address) }
        return String(address[..<start] + address[address.index(after: at)...])
    }
}
