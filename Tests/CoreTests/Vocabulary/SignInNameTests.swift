import Testing
import Vocabulary

@Suite("Sign-in names")
struct SignInNameTests {
    @Test(
        "P-08: spellings of a name share one bucket",
        arguments: [
            "ANN@example.com", " ann@example.com ", "\u{FF41}nn@example.com", "a\u{0301}nn@example.com",
            "\u{00E1}nn@example.com",
        ])
    func oneBucket(_ spelling: String) {
        #expect(SignInName.throttleKey(spelling) == "ann@example.com")
    }

    @Test("P-08: spellings of a number share one bucket", arguments: ["", " ", "-", ".", "(", ")", " -.() "])
    func oneNumber(_ filling: String) throws {
        let typed = "+49" + filling + "170" + filling + "1234567"
        #expect(SignInName.throttleKey(typed) == "+491701234567")
        #expect(try #require(SignInName(typed)).key == "+491701234567", "It is one account's, too.")
        #expect(SignInName.throttleKey("\n\(typed) ") == "+491701234567")
    }
}
