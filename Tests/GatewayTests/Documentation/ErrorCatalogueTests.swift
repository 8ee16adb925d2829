import Cryptography
import Foundation
import HTTPTypes
import Testing

@testable import HTTPServer

@Suite("docs/errors.md and the catalogue")
struct ErrorCatalogueTests {
    @Test("the table of the page equals the catalogue in the code")
    func page() throws {
        let page = try Pages.text("docs/errors.md")
        #expect(Pages.between("<!-- catalogue -->", "<!-- /catalogue -->", in: page) == ErrorCatalogue.reference)
    }

    @Test("codes in the catalogue are unique plain words")
    func unique() {
        let codes = ErrorCatalogue.all.map(\.code)
        #expect(codes.count == Set(codes).count)
        #expect(codes.allSatisfy { $0.range(of: "^[a-z]+(_[a-z]+)*$", options: .regularExpression) != nil })
    }

    @Test("every entry has words for strangers, a cause and a remedy that fit a table")
    func words() {
        for entry in ErrorCatalogue.all {
            for text in [entry.title, entry.cause, entry.remedy] {
                #expect(!text.isEmpty && !text.contains("|") && !text.contains("\n"), "\(entry.code)")
            }
            #expect((400...599).contains(entry.status.code), "\(entry.code)")
        }
    }

    @Test("every reason to refuse a token has an entry", arguments: TokenRefusal.allCases)
    func tokenRefusals(refusal: TokenRefusal) {
        #expect(ErrorCatalogue[refusal.rawValue] != nil)
    }

    @Test("a refused credential has the same title for every code")
    func genericTitles() {
        let refused = TokenRefusal.allCases.compactMap { ErrorCatalogue[$0.rawValue] }.filter {
            $0.status == .unauthorized
        }
        #expect(Set(refused.map(\.title)).count == 1)
    }

    @Test("every code that the sources refuse with has an entry")
    func codesHaveEntries() throws {
        let used =
            try Self.literals(
                "Sources/Vocabulary/Rejection.swift", #"case \.[A-Za-z]+: "([a-z_]+)""#)
            + Pages.gatewayFiles().flatMap {
                try Self.literals($0, #"Problem\(\s*[.a-zA-Z]+, code: "([a-z_]+)""#)
            }
        #expect(used.count > 40)
        #expect(Set(used).filter { ErrorCatalogue[$0] == nil } == [])
    }

    @Test("every entry is used by the sources")
    func entriesAreUsed() throws {
        let files = try Pages.swiftFiles("Sources").filter {
            !$0.contains("ErrorCatalogue") && !$0.contains("ProviderSimulator")
        }
        let used = Set(try files.flatMap { try Self.literals($0, #""([a-z_]+)""#) }).union(
            TokenRefusal.allCases.map(\.rawValue))
        #expect(ErrorCatalogue.all.map(\.code).filter { !used.contains($0) } == [])
    }

    /// The matches of a pattern's first group in a file.
    private static func literals(_ path: String, _ pattern: String) throws -> [String] {
        let text = try Pages.text(path)
        let expression = try NSRegularExpression(pattern: pattern)
        return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap { match in
            Range(match.range(at: 1), in: text).map { String(text[$0]) }
        }
    }
}
