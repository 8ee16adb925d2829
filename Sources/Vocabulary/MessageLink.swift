/// Links in texts that operators write for mails and text messages.
///
/// A mail of ours with a foreign link is a perfect trap, so only an owner may add one.
package enum MessageLink {
    /// The words of a text that mail programs show as links: an address, or the name or number of a host.
    package static func words(in text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map(String.init).filter { isAddress($0) || hasHost($0) })
    }

    /// Whether a name is written as an address; a bare host is a name that firms have.
    package static func isAddress(_ text: String) -> Bool {
        let text = text.lowercased()
        return text.contains("://") || text.contains("www.")
    }

    /// Whether it has letters or digits, a dot and the letters of a top-level domain; or an IPv4 address.
    ///
    /// The full stop of Chinese and Japanese is a dot in hosts too, but between their letters it ends a sentence.
    private static func hasHost(_ word: String) -> Bool {
        word.firstMatch(of: /[\p{L}\p{N}][.\u{FF0E}]\p{L}{2,}/) != nil
            || word.firstMatch(of: /[\p{Script=Latin}\p{N}][\u{3002}\u{FF61}]\p{Script=Latin}{2,}/) != nil
            || word.firstMatch(of: /\p{N}{1,3}(?:[.\u{FF0E}\u{3002}\u{FF61}]\p{N}{1,3}){3}/) != nil
    }
}
