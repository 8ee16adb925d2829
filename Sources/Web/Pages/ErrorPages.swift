import HTTPServer
import HTTPTypes
import Pages

/// The page about one error code, in English.
struct ErrorPage: Page {
    static let template = "error"

    let code: String
    let status: Int
    let title: String
    /// Sentences with code between backticks.
    let cause: String
    let remedy: String

    init(_ entry: ErrorCatalogue.Entry) {
        (code, status, title) = (entry.code, entry.status.code, entry.title)
        (cause, remedy) = (entry.cause, entry.remedy)
    }

    /// All texts come from the catalogue, so none needs a mask.
    func masked(by mask: inout TextMask) -> ErrorPage { self }

    func values(in words: Words) -> [String: Any] {
        [
            "width": "card", "title": title, "code": code, "status": status,
            "cause": MarkedText.parts(of: cause), "remedy": MarkedText.parts(of: remedy),
        ]
    }
}

/// The page with all error codes, in English.
struct ErrorListPage: Page {
    static let template = "errors"

    struct Entry: Hashable, Sendable {
        let code: String
        let status: Int
        let title: String

        init(_ entry: ErrorCatalogue.Entry) {
            (code, status, title) = (entry.code, entry.status.code, entry.title)
        }
    }

    let entries: [Entry]

    /// All texts come from the catalogue, so none needs a mask.
    func masked(by mask: inout TextMask) -> ErrorListPage { self }

    func values(in words: Words) -> [String: Any] {
        [
            "width": "card", "title": "Errors",
            "entries": entries.map { entry in
                [
                    "code": entry.code, "status": entry.status, "name": entry.title,
                    "address": ErrorCatalogue.path(of: entry.code),
                ] as [String: Any]
            },
        ]
    }
}

/// The catalogue's Markdown: code between backticks, and links into `docs/`.
private enum MarkedText {
    /// Its parts for the template `marked`; a link becomes its text, because the pages don't contain the documents.
    static func parts(of text: String) -> [[String: Any]] {
        let plain = text.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }
        return plain.split(separator: "`", omittingEmptySubsequences: false).enumerated().compactMap { number, part in
            part.isEmpty ? nil : ["text": String(part), "is_code": !number.isMultiple(of: 2)]
        }
    }
}
