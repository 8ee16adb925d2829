import Testing

@testable import Accounts
@testable import Vocabulary

@Suite("Password policy")
struct PasswordPolicyTests {
    private let policy = PasswordPolicy(minimumLength: 8, serviceWords: ["example", "Duckshop"])

    @Test(
        "P-16: refused with a stable code",
        arguments: [
            ("short", PasswordPolicy.Complaint.tooShort), ("1234567", .tooShort), ("12345678", .common),
            ("Password1", .common),
            ("P@ssw0rd", .common), ("Sunshine2024!", .common), ("QWERTYUIOP", .common), ("aaaaaaaaaaaa", .common),
            ("annabel.lee-2024", .containsAddress), ("4nn4bel.l33", .containsAddress),
            ("annabel.lee@example.com", .containsAddress),
            (String(repeating: "x1", count: 513), .tooLong),
        ])
    func refuses(_ password: String, _ expected: PasswordPolicy.Complaint) throws {
        let address = try #require(EmailAddress("annabel.lee@example.com"))
        #expect(policy.complaint(password, address: address) == expected)
    }

    @Test(
        "any characters are accepted",
        arguments: ["correct horse battery", "пароль-и-что-то-ещё", "密码密码密码密码", "🐢🐇🐢🐇🐢🐇🐢🐇", "        x "])
    func accepts(_ password: String) {
        #expect(policy.complaint(password, address: EmailAddress("ann@example.com")) == nil)
    }

    @Test(
        "a phrase may contain a common word, a name of the service, and the user's name",
        arguments: ["password of the duckshop", "savannah river at dawn", "dragon&duckshop&anna"])
    func acceptsParts(_ password: String) {
        #expect(policy.complaint(password, address: EmailAddress("anna@example.com")) == nil)
    }

    @Test(
        "a name of the service is refused, with digits and signs behind it, and in the usual substitutions",
        arguments: ["DuckShop", "duckshop2026!", "duck5h0p"])
    func refusesServiceWords(_ password: String) {
        #expect(policy.complaint(password, address: nil) == .common)
        #expect(PasswordPolicy(minimumLength: 8).complaint(password, address: nil) == nil)
    }

    @Test("the digits of an address's name do not hide that a password is made from it")
    func refusesNameWithOtherDigits() {
        #expect(policy.complaint("annabel1999", address: EmailAddress("annabel77@example.com")) == .containsAddress)
    }

    @Test("length is counted in code points, after composing")
    func countsCodePoints() {
        #expect(policy.complaint("e\u{0301}e\u{0301}e\u{0301}e\u{0301}xyz", address: nil) == .tooShort)
        #expect(policy.complaint("e\u{0301}e\u{0301}e\u{0301}e\u{0301}xyzw", address: nil) == nil)
        // Four flags, of two code points each.
        let flags = "\u{1F1E9}\u{1F1EA}\u{1F1EB}\u{1F1F7}\u{1F1EF}\u{1F1F5}\u{1F1F7}\u{1F1FA}"
        #expect(policy.complaint(flags, address: nil) == nil)
    }

    @Test("two spellings of one password are the same bytes")
    func composes() {
        #expect(PasswordPolicy.normalised("caf\u{0065}\u{0301}") == PasswordPolicy.normalised("caf\u{00E9}"))
    }

    @Test("the minimum is configurable")
    func minimum() {
        #expect(PasswordPolicy(minimumLength: 15).complaint("fourteen chars", address: nil) == .tooShort)
        #expect(PasswordPolicy(minimumLength: 15).complaint("fifteen chars!!", address: nil) == nil)
    }
}
