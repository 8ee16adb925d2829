package import HTTPTypes

/// Every error code of a refusal.
///
/// A test compares the catalogue with `docs/errors.md`. Any caller sees `title`. App developers read `cause` and
/// `remedy` in that document and on the page to which `type` of a problem leads.
package struct ErrorCatalogue {
    package struct Entry: Sendable {
        package let code: String
        package let status: HTTPResponse.Status
        package let title: String
        package let cause: String
        package let remedy: String

        init(_ code: String, _ status: HTTPResponse.Status, _ title: String, cause: String, remedy: String) {
            (self.code, self.status, self.title, self.cause, self.remedy) = (code, status, title, cause, remedy)
        }
    }

    package static let all: [Entry] =
        requests + reports + credentials + nonces + providers + accounts + sessions + passwords + factors + web
        + devices + operators + service

    private static let byCode = Dictionary(all.map { ($0.code, $0) }) { first, _ in first }

    package static subscript(code: String) -> Entry? { byCode[code] }

    /// The path of the page about a code.
    package static func path(of code: String) -> String { "/errors/\(code)" }

    /// The expected content of `docs/errors.md`.
    static var reference: String {
        let rows = all.map { "| `\($0.code)` | \($0.status.code) | \($0.cause) | \($0.remedy) |" }
        return (["| code | status | cause | remedy |", "|---|---|---|---|"] + rows).joined(separator: "\n")
    }
}
