import Foundation
import Testing

/// The pages about attacks and standards name files and tests, which must exist.
@Suite("Pages that name what holds them")
struct EvidenceTests {
    private static let threatModel = EvidencePage(
        // An audit's ids have no hyphen, the third's begin with `3-`.
        path: "docs/threat-model.md", idPattern: "[A-Z]-[0-9]{2}|(3-)?[A-Z][0-9]{1,2}", hasAnswers: false)
    private static let asvs = EvidencePage(
        path: "docs/standards/asvs.md", idPattern: #"[0-9]+\.[0-9]+\.[0-9]+"#, hasAnswers: true)
    private static let nist = EvidencePage(
        path: "docs/standards/nist-800-63b.md", idPattern: #"([0-9]|B)(\.[0-9]+)*-[0-9]+"#, hasAnswers: true)
    private static let standards = [asvs, nist]

    /// The texts between quotation marks in all tests.
    ///
    /// A search of each title in the text of all tests would take seconds.
    private static let quoted = Result {
        let scripts = TypeScript.tests(in: "test").map { "clients/typescript/\($0)" }
        let files = try Pages.swiftFiles("Tests") + Pages.swiftFiles("clients/swift/Tests") + scripts
        return try files.reduce(into: Set<String>()) { quoted, file in
            quoted.formUnion(try Pages.text(file).utf8.split(separator: UInt8(ascii: "\"")).map { String($0) ?? "" })
        }
    }

    @Test("every file named in a row exists, and a claim has one", arguments: [threatModel] + standards)
    func files(page: EvidencePage) throws {
        #expect(try page.held().count > 40)
        for row in try page.held() { #expect(!row.files.isEmpty, "\(row.id)") }
        for row in try page.rows() {
            for path in row.files {
                #expect(Pages.exists("Sources/" + path) || Pages.exists(path), "\(row.id): \(path)")
            }
        }
    }

    @Test("every test named in a row exists, and a claim without one states that", arguments: [threatModel] + standards)
    func tests(page: EvidencePage) throws {
        let quoted = try Self.quoted.get()
        #expect(try page.rows().flatMap(\.tests).filter { !quoted.contains($0) } == [])
        #expect(try page.held().filter { $0.tests.isEmpty && $0.test != "no test yet" }.map(\.id) == [])
    }

    /// An audit's id is that of a finding, which may have several rows.
    @Test("two attacks have different ids")
    func ids() throws {
        let ids = try Self.threatModel.rows().map(\.id).filter { $0.dropFirst().first == "-" && !$0.hasPrefix("3-") }
        #expect(ids.count > 40)
        #expect(Dictionary(grouping: ids) { $0 }.filter { $1.count > 1 }.keys.sorted() == [])
    }

    @Test("each requirement has one row with an answer, and a reason unless it is met", arguments: standards)
    func answers(page: EvidencePage) throws {
        let rows = try page.rows()
        #expect(Set(rows.map(\.id)).count == rows.count)
        for row in rows {
            #expect(row.answer != nil, "\(row.id)")
            #expect(row.answer == .met || row.claim.contains(": "), "\(row.id)")
        }
    }

    @Test("the counts of answers are right", arguments: standards)
    func counts(page: EvidencePage) throws {
        let counted = Dictionary(grouping: try page.rows(), by: \.chapter).mapValues { rows in
            EvidencePage.Answer.allCases.map { answer in rows.count { $0.answer == answer } }
        }
        #expect(try page.counts() == counted)
    }

    @Test("ASVS has a row for each requirement up to level 2")
    func requirements() throws {
        // Each section numbers them from 1, without a gap.
        let last = [
            "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 4, "7.1": 3, "7.2": 4, "7.3": 2,
            "7.4": 5, "7.5": 2, "7.6": 2, "9.1": 3, "9.2": 4, "10.1": 2, "10.2": 2, "10.3": 4, "10.4": 11, "10.5": 5,
            "10.6": 2, "10.7": 3,
        ]
        let expected = Set(last.flatMap { section, count in (1...count).map { "\(section).\($0)" } })
        #expect(Set(try Self.asvs.rows().map(\.id)).symmetricDifference(expected) == [])
    }
}
