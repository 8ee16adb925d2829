import Testing

@testable import Accounts
@testable import Vocabulary

@Suite("Password policy")
struct PasswordPolicyTests {
    private let policy = PasswordPolicy(minimumLength: 8)

    @Test(
        "P-16: refused with a stable code",
        arguments: [
            ("short", PasswordPolicy.Complaint.tooShort), ("1234567", .tooShort), ("12345678", .common),
            ("Password1", .common),
            ("P@ssw0rd", .common), ("Sunshine2024!", .common), ("QWERTYUIOP", .common), ("aaaaaaaaaaaa", .common),
            ("annabel.lee-2024", .containsAddress), ("annabel.lee@example.com", .containsAddress),
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

    @Test("length is counted in characters, after composing")
    func countsCharacters() {
        #expect(policy.complaint("e\u{0301}e\u{0301}e\u{0301}e\u{0301}xyz", address: nil) == .tooShort)
        #expect(policy.complaint("e\u{0301}e\u{0301}e\u{0301}e\u{0301}xyzw", address: nil) == nil)
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
