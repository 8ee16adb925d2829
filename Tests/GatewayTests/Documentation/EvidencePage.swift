import Foundation
import Testing

/// A page with rows `| id | subject | claim | code | test |`, which name the files and the tests that hold a claim.
struct EvidencePage: Sendable, CustomTestStringConvertible {
    let path: String
    /// The form of a row's id.
    let idPattern: String
    /// Whether each claim begins with an ``Answer``; else each claim must hold.
    let hasAnswers: Bool

    var testDescription: String { path }

    /// The answer of a page about a standard.
    enum Answer: String, CaseIterable {
        case met
        case bySetting = "by setting"
        case notMet = "not met"
        case notApplicable = "not applicable"
    }

    struct Row: Sendable {
        let id: String
        let claim: String
        let code: String
        let test: String

        var files: [String] { Self.quoted(code) }
        var tests: [String] { Self.quoted(test) }

        var answer: Answer? { Answer.allCases.first { claim == $0.rawValue || claim.hasPrefix($0.rawValue + ": ") } }

        /// The first part of the id.
        var chapter: Substring { id.prefix { $0 != "." && $0 != "-" } }

        private static func quoted(_ cell: String) -> [String] {
            cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().compactMap {
                $0.isMultiple(of: 2) ? nil : String($1)
            }
        }
    }

    func rows() throws -> [Row] {
        try cells(first: idPattern).map { Row(id: $0[0], claim: $0[2], code: $0[3], test: $0[4]) }
    }

    /// The rows with a claim, which code and tests must hold.
    func held() throws -> [Row] {
        try rows().filter { !hasAnswers || $0.answer == .met || $0.answer == .bySetting }
    }

    /// The counts that the page states, by chapter, in the order of the answers.
    func counts() throws -> [Substring: [Int]] {
        let rows = try cells(first: "V?([0-9]+|[A-Z]) .+")
        return Dictionary(
            uniqueKeysWithValues: rows.map { cells in
                (cells[0].prefix { $0 != " " }.trimmingPrefix("V"), cells.dropFirst().compactMap { Int($0) })
            })
    }

    /// The rows of five cells of which the first has this form.
    private func cells(first pattern: String) throws -> [[String]] {
        try Pages.text(path).split(separator: "\n").map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }.filter { $0.count == 5 && $0[0].range(of: "^(\(pattern))$", options: .regularExpression) != nil }
    }
}
