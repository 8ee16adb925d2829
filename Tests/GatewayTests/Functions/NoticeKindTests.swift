import Testing

@testable import Messages
@testable import Web

/// A notice without a text of its own would only say that the account was changed.
@Suite("The kinds of notices")
struct NoticeKindTests {
    @Test("the notices that the database's functions write are those that have texts, in every language")
    func texts() throws {
        let written = FunctionText.all.reduce(into: Set<String>()) { $0.formUnion(Self.kinds(in: $1)) }
        #expect(written.count > 20)
        #expect(written == MessageKeys.notices)
        let catalogue = try MessageCatalogue.bundled()
        for language in MessageLanguage.allCases {
            let texts = written.union(["other"]).map { catalogue.text("notice.\($0).text", language, [:]) }
            #expect(Set(texts).count == texts.count, "\(language): two notices have the same text")
        }
    }

    @Test("each notice leads to a section of the account page, unless its reader can't sign in any more")
    func pages() {
        let addresses = NoticePages.addresses
        let without = addresses.filter { $0.value == nil }.map(\.key)
        #expect(without.sorted() == ["account_deleted", "deletion_by_operator"])
        let sections = Set(AccountSection.allCases.map(\.address))
        #expect(addresses.values.compactMap(\.self).allSatisfy(sections.contains))
    }

    /// The words in the second argument of each call, or in the declaration of the variable that it is.
    private static func kinds(in function: FunctionText) -> Set<String> {
        let calls = function.body.matches(of: /perform notify_account(?:_directly)?\(([^,]+), ([^;]*?);/)
        let named = calls.reduce(into: Set<String>()) { kinds, call in
            let kind = String(call.output.2.prefix { $0 != "," })
            let declared = function.body.matches(of: /(\w+) constant text := ([^;]*);/).first { $0.output.1 == kind }
            kinds.formUnion(words(in: declared.map { String($0.output.2) } ?? kind))
        }
        let written = function.body.matches(of: /'notice\.([a-z_]+)'/).map { String($0.output.1) }
        return named.union(written)
    }

    /// The literals that an expression may be: itself, or the branches of its `case`.
    private static func words(in expression: String) -> Set<String> {
        Set(expression.matches(of: /(?:^|then |else )'([a-z_]+)'/).map { String($0.output.1) })
    }
}
