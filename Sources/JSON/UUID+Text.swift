package import FoundationEssentials

extension UUID {
    /// The 36 characters of the id in lower case (RFC 9562 §4): the form in answers, tokens and records.
    package var text: String { uuidString.lowercased() }

    /// Reads the 36 characters, in either case.
    package init?(text: String) {
        // Foundation ignores everything after a NUL.
        guard text.utf8.count == 36 else { return nil }
        self.init(uuidString: text)
    }
}
