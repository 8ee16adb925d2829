extension String {
    /// Its beginning, in whole Unicode scalars.
    ///
    /// For what a stranger chose and we keep: counted in characters, one letter may carry any number of accents.
    func bounded(bytes limit: Int) -> String {
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
