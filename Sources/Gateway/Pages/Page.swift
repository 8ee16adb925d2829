/// A page that can be rendered: a view model with the name of its template.
protocol Page: Hashable, Sendable {
    /// The file in `Templates/`, without its ending.
    static var template: String { get }

    /// The same page with every text exchanged for a mark by `mask`.
    ///
    /// What may stay is what has few values of our own choosing: flags, counts, brands, codes. Written with the
    /// memberwise initialiser, so that a new field doesn't compile before somebody has decided what it is.
    func masked(by mask: inout TextMask) -> Self

    /// What the template is filled with; asked of masked pages only.
    func values(in words: Words) -> [String: Any]
}
