import Clients
import Foundation
import Testing

@Suite("Session ids of Cognito's API")
struct CognitoSessionIDTests {
    /// The greatest number of 128 bits in base 36 has 25 digits.
    private static let greatest = "f5lxx1zz5pnorynqglhzmsp33"

    struct Row: Sendable {
        let id: CognitoSessionID
        let text: String
    }

    static let rows = [
        Row(id: .init(.token, uuid(0)), text: "tkn" + zeros(25)),
        Row(id: .init(.browser, uuid(36)), text: "sso" + zeros(23) + "10"),
        Row(id: .init(.token, uuid(255, before: 255)), text: "tkn" + greatest),
    ]

    @Test("an id has a kind and 25 digits, as Amazon's model demands", arguments: rows)
    func text(row: Row) {
        #expect(row.id.text == row.text)
        #expect(row.text.wholeMatch(of: /(tkn|sso)[a-z0-9]{25}/) != nil)
        #expect(CognitoSessionID(text: row.text) == row.id)
    }

    @Test(
        "a text of another form is no id",
        arguments: [
            "", "tkn", "tkn" + zeros(24), "tkn" + zeros(26), "abc" + zeros(25), "tkn+" + zeros(24),
            "tknF5LXX1ZZ5PNORYNQGLHZMSP33", "tknf5lxx1zz5pnorynqglhzmsp34", "tkn" + zeros(24) + "é",
        ])
    func malformed(text: String) {
        #expect(CognitoSessionID(text: text) == nil)
    }

    private static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }

    private static func uuid(_ last: UInt8, before b: UInt8 = 0) -> UUID {
        UUID(uuid: (b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, last))
    }
}
