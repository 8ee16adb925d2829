import HTTPTypes

/// Every code that a refusal can carry: `docs/errors.md` in code, and a test holds the two against each other.
///
/// `title` is for strangers. `cause` and `remedy` are for the people who write the app; they stand in the page.
struct ErrorCatalogue {
    struct Entry: Sendable {
        let code: String
        let status: HTTPResponse.Status
        let title: String
        let cause: String
        let remedy: String

        init(_ code: String, _ status: HTTPResponse.Status, _ title: String, cause: String, remedy: String) {
            (self.code, self.status, self.title, self.cause, self.remedy) = (code, status, title, cause, remedy)
        }
    }

    static let all: [Entry] =
        requests + reports + credentials + nonces + providers + accounts + sessions + passwords + factors + web
        + operators + service

    private static let byCode = Dictionary(all.map { ($0.code, $0) }) { first, _ in first }

    static subscript(code: String) -> Entry? { byCode[code] }

    /// The page as it must stand in `docs/errors.md`.
    static var reference: String {
        let rows = all.map { "| `\($0.code)` | \($0.status.code) | \($0.cause) | \($0.remedy) |" }
        return (["| code | status | cause | remedy |", "|---|---|---|---|"] + rows).joined(separator: "\n")
    }
}
