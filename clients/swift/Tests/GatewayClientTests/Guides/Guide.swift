import Foundation
import Testing

/// A page of `docs/start` and the compiled code that it shows.
struct Guide: Sendable, CustomTestStringConvertible {
    let page: String
    let code: String

    static let all = [
        Guide(page: "docs/start/from-amplify.md", code: "FromAmplify.swift"),
        Guide(page: "docs/start/from-msal.md", code: "FromMSAL.swift"),
    ]

    var testDescription: String { page }

    func text() throws -> String { try Repository.text(page) }

    /// The Swift code of the page, block by block.
    func blocks() throws -> [String] { try parts(of: text(), from: "```swift", to: "```", indent: 0) }

    /// The compiled code between two `page` lines, block by block.
    func compiled() throws -> [String] {
        let file = try Repository.text("clients/swift/Tests/GatewayClientTests/Guides/\(code)")
        return try parts(of: file, from: "    // page:", to: "    // page end", indent: 4)
    }

    /// The first column of a section's table, and the last one, row by row.
    func rows(under heading: String) throws -> [(first: String, last: String)] {
        let sections = try text().components(separatedBy: "\n## ")
        let section = try #require(sections.first { $0.hasPrefix(heading + "\n") }, "\(page) has no \(heading)")
        return section.split(separator: "\n").filter { $0.hasPrefix("|") && !$0.hasPrefix("|---") }.dropFirst()
            .compactMap { line in
                let cells = line.split(separator: "|").map(String.init)
                guard let first = cells.first, let last = cells.last else { return nil }
                return (first, last)
            }
    }

    private func parts(of text: String, from begin: String, to end: String, indent: Int) throws -> [String] {
        var (parts, part): ([String], [Substring]?) = ([], nil)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let open = part, line == end {
                parts.append(open.joined(separator: "\n"))
                part = nil
            } else if part != nil {
                part?.append(line.dropFirst(line.isEmpty ? 0 : indent))
            } else if line.hasPrefix(begin) {
                part = []
            }
        }
        try #require(part == nil, "\(page): a part has no end")
        return parts
    }
}
