import Testing

@testable import HTTPServer
@testable import Pages
@testable import Web

@Suite("Texts on pages are never markup")
struct PageEscapingTests {
    private let renderer: PageRenderer

    init() throws { renderer = try PageRenderer.bundled.get() }

    static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onfocus='alert(1)' autofocus='",
        "\" onfocus=\"alert(1)\" autofocus=\"", "</title></textarea></style><svg/onload=alert(1)>", "<!-- ", "]]>",
        // Escaping by characters overlooks a quote or a bracket with a combining mark.
        "\"\u{301} onfocus=alert(1) x=\"\u{301}", "<\u{338}script>", "'\u{FE0F}\"\u{200D}",
        "{{words.login.heading}}", "{{{template}}}", "{{#providers}}{{/providers}}", "{client}", "&lt;b&gt;", "&#x3C;",
        "\u{1}0\u{2}", "\u{1}999999999999999999999\u{2}", "\u{2}\u{1}", "\u{E000}0\u{E001}", "\u{0}", "a\u{0}b\r\nc\td",
        "\u{202E}txt.exe\u{2066}", "\u{2028}", "\u{FEFF}", "\u{FFFD}", "", " ", "😀\u{200D}👩", "ألف",
        String(repeating: "<", count: 300),
    ]

    @Test("hostile text changes no element and no attribute of any page", arguments: hostile)
    func structure(text: String) throws {
        let ordinary = SamplePages(text: { _ in text.isEmpty ? "" : "plain" }).all
        let pages = SamplePages(text: { _ in text }, address: { "\($0)#\(text)" }).all
        for ((name, page), plain) in zip(pages, ordinary) {
            let document = try HTMLDocument(renderer.shown(page, .german))
            let expected = try HTMLDocument(renderer.shown(plain.page, .german))
            #expect(document.structure == expected.structure, "\(name)")
        }
    }

    @Test(
        "a form value is returned unchanged, except for characters that HTML forbids",
        arguments: [
            ("a&b=\"c\"<d>'e'", "a&b=\"c\"<d>'e'"), ("&amp;", "&amp;"), ("a\r\nb\tc", "a\r\nb\tc"),
            ("\u{0}\u{1}7\u{2}", "\u{FFFD}\u{FFFD}7\u{FFFD}"), ("\u{202E}x", "\u{202E}x"), ("\"\u{301}", "\"\u{301}"),
        ])
    func exact(value: String, expected: String) throws {
        let page = RepostPage(action: "/login/apple/complete", hidden: [HiddenField(name: "state", value: value)])
        let document = try HTMLDocument(renderer.shown(page, .english))
        let field = try #require(document.all("input").first { $0.attributes["name"] == "state" })
        #expect(Array(try #require(field.attributes["value"]).utf8) == Array(expected.utf8))
    }

    @Test("a name cannot change the text direction around it")
    func directions() throws {
        let name = "\u{202E}Ann\u{2069}\u{200F} \u{0}Müller\n"
        let page = SamplePages(text: { $0 == "Ann Müller" ? name : $0 }).loginSignedIn
        let button = try #require(try HTMLDocument(renderer.shown(page, .english)).element(id: "continue-as"))
        #expect(button.text == "Continue as Ann Müller")
    }

    @Test(
        "only a path, a web address or an app's scheme is an address",
        arguments: [
            ("/login?a=b&c=d", true), ("/", true), ("https://shop.example.com/back?x=y", true),
            ("http://127.0.0.1:8080/", true), ("com.example.app:/back", true), ("javascript:alert(1)", false),
            ("JavaScript:alert(1)", false), (" javascript:alert(1)", false), ("java\tscript:alert(1)", false),
            ("data:text/html,x", false), ("vbscript:x", false), ("//evil.example", false), ("/\\evil.example", false),
            ("/\t/evil.example", false), ("", false), ("login", false), ("?a=b", false),
            ("blob:https://x.example/", false),
            ("java.script\n:x", false), ("HTTPS://x.example", false), ("otpauth://totp/Shop:ann?secret=A", true),
            ("otpauth://hotp/x", false),
            ("otpauth://totp/a b", false),
        ])
    func addresses(address: String, isKept: Bool) throws {
        let page = ForgotPage(
            clientName: "Shop", ways: .none, nameForm: nil, loginAddress: address, problem: nil)
        let link = try #require(try HTMLDocument(renderer.shown(page, .english)).all("a").first)
        #expect(link.attributes["href"] == (isKept ? address : "#"))
    }

    @Test("no text of a page remains in its cache key")
    func masks() throws {
        let sample = SamplePages(text: { "§\($0)" }, address: { "\($0)§" })
        for (name, page) in sample.all {
            var mask = TextMask(words: try renderer.messages.words(.german))
            #expect(!"\(page.masked(by: &mask))".contains("§"), "\(name)")
        }
    }

    @Test("pages of one form never show each other's texts")
    func reuse() throws {
        for language in Language.allCases {
            let one = SamplePages(), other = SamplePages(text: { "other \($0)" }, address: { "\($0)&other" })
            let fresh = try PageRenderer()
            for (page, another) in zip(one.all, other.all) {
                let first = try renderer.shown(page.page, language)
                let second = try renderer.shown(another.page, language)
                #expect(try renderer.shown(page.page, language) == first, "\(page.name)")
                #expect(try fresh.shown(another.page, language) == second, "\(page.name)")
            }
        }
    }
}
