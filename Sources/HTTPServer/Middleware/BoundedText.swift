extension String {
    /// The longest prefix of whole Unicode scalars within a number of bytes.
    ///
    /// It limits stored text from outside. A limit in characters would not: one character may have any number of accents.
    package func bounded(bytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var kept = String.UnicodeScalarView()
        var length = 0
        for scalar in unicodeScalars {
            length += UTF8.width(scalar)
            guard length <= limit else { break }
            kept.append(scalar)
        }
        return String(kept)
    }
}
