/// A page that can be rendered: a view model with the name of its template.
package protocol Page: Hashable, Sendable {
    /// The file in `Templates/`, without its extension.
    static var template: String { get }

    /// The same page with every text replaced by a mark from `mask`.
    ///
    /// Values with few variants of our own may stay: flags, counts, brands, codes. Implement it with the memberwise
    /// initialiser, so that a new field doesn't compile without a decision.
    func masked(by mask: inout TextMask) -> Self

    /// The template's values; called on masked pages only.
    func values(in words: Words) -> [String: Any]
}
