import Testing

@testable import Vocabulary

@Suite("E-mail addresses")
struct EmailAddressTests {
    @Test(
        "only ASCII letters are folded",
        arguments: [("Ann@Example.COM", "ann@example.com"), ("a.b+c@x-y.org", "a.b+c@x-y.org")])
    func folds(_ typed: String, _ key: String) throws {
        #expect(try #require(EmailAddress(typed)).key == key)
    }

    @Test(
        "3-R4: an international domain has one spelling, whatever script or form it is typed in",
        arguments: [
            ("Ann@exümple.example", "ann@xn--exmple-4ya.example"),
            ("ann@EXU\u{308}MPLE.EXAMPLE", "ann@xn--exmple-4ya.example"),
            ("ann@XN--EXMPLE-4YA.example", "ann@xn--exmple-4ya.example"),
            ("ann@exümple\u{3002}example", "ann@xn--exmple-4ya.example"),
            ("ann@faß.example", "ann@xn--fa-hia.example"), ("ann@fass.example", "ann@fass.example"),
            ("ann@\u{FF45}xample.com", "ann@example.com"), ("ann@\u{435}xample.com", "ann@xn--xample-2of.com"),
        ])
    func domains(_ typed: String, _ key: String) throws {
        let address = try #require(EmailAddress(typed))
        #expect(address.key == key && address.text.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test(
        "3-R4: an invalid domain is refused, and no character of it is dropped silently",
        arguments: ["ann@ü_a.com", "ann@ü..com", "ann@-ü.com", "ann@ü.com\u{FF20}b.com", "ann@\u{2603}", "a@b@ü.com"])
    func noDomain(_ typed: String) {
        #expect(EmailAddress(typed) == nil)
    }

    @Test(
        "an impossible mailbox is refused",
        arguments: [
            "", "ann", "@example.com", "ann@", "ann@@example.com", "ann@example", "an n@example.com",
            "ann@exa mple.com",
            "ann@example.com\n", "ann@example.com,bob@example.com", "<ann@example.com>", "\u{FEFF}ann@example.com",
            // The Kelvin sign and full-width letters would fold into plain ones, and one mailbox into another.
            "\u{212A}ann@example.com", "\u{FF41}nn@example.com", "ä@example.com",
            "a_b.example#EXT#@contoso.onmicrosoft.com", "a_b.example#ext#@contoso.onmicrosoft.com",
            String(repeating: "a", count: 65) + "@example.com",
            "ann@" + String(repeating: "a", count: 250) + ".com",
        ])
    func refuses(_ typed: String) {
        #expect(EmailAddress(typed) == nil)
    }

    @Test(
        "F4: the throttle key ignores tags and Gmail's dots",
        arguments: [
            ("Ann+2@Example.com", "ann@example.com"), ("a.b@example.com", "a.b@example.com"),
            ("a.b.c+x+y@gmail.com", "abc@gmail.com"), ("abc@GoogleMail.com", "abc@gmail.com"),
            ("+tag@example.com", "+tag@example.com"), ("ann@sub+x.example.com", nil),
        ] as [(String, String?)])
    func counted(_ typed: String, _ key: String?) {
        #expect(EmailAddress(typed)?.throttleKey == key)
    }

    @Test("a stranger sees the first letters only")
    func masks() throws {
        #expect(try #require(EmailAddress("annabel@mail.example.com")).masked == "a•••@m•••.com")
    }
}
