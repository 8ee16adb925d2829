import Testing

@testable import HTTPServer

@Suite("The language of a page")
struct LanguageTests {
    @Test(
        "the browser's header chooses by weight, then by order",
        arguments: [
            ("de", "de"), ("de-AT", "de"), ("de-CH-1996", "de"), ("DE", "de"), ("ja-JP,en;q=0.5", "ja"),
            ("zh", "zh-Hans"), ("zh-CN", "zh-Hans"), ("zh-SG", "zh-Hans"), ("zh-Hans", "zh-Hans"),
            ("zh-TW", "zh-Hans"), ("zh-Hant-HK", "zh-Hans"), ("ru-RU, en", "ru"), ("en-GB, de;q=0.9", "en"),
            ("fr, de;q=0.3, ja;q=0.7", "ja"), ("de;q=0.8, ru;q=0.8", "de"), ("fr;q=1, es;q=0.9, de;q=0.001", "de"),
            ("de; q=0.5 , ru ; q=0.6", "ru"), ("fr, *;q=0.1", "en"), ("de;q=0.2, *", "en"), ("\tde\t", "de"),
        ])
    func header(header: String, language: String) {
        #expect(Language.preferred(uiLocales: nil, acceptLanguage: header).rawValue == language)
    }

    @Test(
        "a weight of zero excludes a language",
        arguments: [
            ("de;q=0", "en"), ("de;q=0.000, ru;q=0.1", "ru"), ("en;q=0, *", "zh-Hans"),
            ("en;q=0, zh;q=0, *;q=0.5", "ja"), ("en-GB;q=0, *", "en"), ("*;q=0", "en"),
        ])
    func refused(header: String, language: String) {
        #expect(Language.preferred(uiLocales: nil, acceptLanguage: header).rawValue == language)
    }

    @Test(
        "an invalid language range is ignored",
        arguments: [
            "", ",", ";", "de;q=", "de;q=1.1", "de;q=2", "de;q=-1", "de;q=0.1234", "de;q=.5", "de;q=1x", "de;q=0.5;x=1",
            "de;level=1", "de_DE", "de-", "-de", "de--AT", "deutsch", "de-überall", "x-de", "i-default", "de\u{301}",
            "de;q=0,5", "de en",
        ])
    func malformed(header: String) {
        #expect(Language.preferred(uiLocales: nil, acceptLanguage: header + ",ru;q=0.2") == .russian)
    }

    @Test(
        "the app's preference overrides the browser's",
        arguments: [
            ("ja", "ja"), ("fr ja de", "ja"), ("fr-CA", "de"), ("", "de"), ("zh-Hant", "zh-Hans"), ("*", "de"),
            ("fr  ru", "ru"),
        ])
    func locales(locales: String, language: String) {
        #expect(Language.preferred(uiLocales: locales, acceptLanguage: "de").rawValue == language)
    }

    @Test("English is the default")
    func nothing() {
        #expect(Language.preferred(uiLocales: nil, acceptLanguage: nil) == .english)
        #expect(Language.preferred(uiLocales: "fr", acceptLanguage: "es") == .english)
    }

    @Test("only the beginning of a long header is read, without a truncated tag")
    func bounded() {
        let ranges = Array(repeating: "fr", count: 16).joined(separator: ",")
        #expect(Language.preferred(uiLocales: nil, acceptLanguage: ranges + ",de") == .english)
        // Truncated after 512 bytes, the last tag would be `de`.
        let cut = String(repeating: "x", count: 508) + ", " + "der"
        #expect(Language.preferred(uiLocales: nil, acceptLanguage: cut) == .english)
        let flood = String(repeating: "a,", count: 1_000_000)
        #expect(Language.preferred(uiLocales: flood, acceptLanguage: flood) == .english)
    }
}
