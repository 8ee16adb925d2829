import Testing

@testable import HTTPServer
@testable import Pages

@Suite("Counts and times in words")
struct WordsTests {
    private let messages: Messages

    init() throws { messages = try Messages.bundled() }

    @Test(
        "a wait uses the largest fitting unit, rounded up, with the right form of the noun",
        arguments: [
            (.english, "0", "0 seconds"), (.english, "1", "1 second"), (.english, "21", "21 seconds"),
            (.english, "90", "90 seconds"), (.english, "91", "2 minutes"), (.english, "5400", "90 minutes"),
            (.english, "5401", "2 hours"), (.english, "86400", "24 hours"), (.german, "1", "1 Sekunde"),
            (.german, "600", "10 Minuten"), (.russian, "1", "1 секунду"), (.russian, "3", "3 секунды"),
            (.russian, "11", "11 секунд"), (.russian, "12", "12 секунд"), (.russian, "21", "21 секунду"),
            (.russian, "45", "45 секунд"), (.russian, "54", "54 секунды"), (.russian, "120", "2 минуты"),
            (.russian, "660", "11 минут"), (.russian, "75600", "21 час"), (.japanese, "3", "3 秒"),
            (.simplifiedChinese, "120", "2 分钟"), (.english, "soon", "soon"), (.english, "-1", "-1"),
            (.english, "9223372036854775807", "2562047788015216 hours"),
        ] as [(Language, String, String)])
    func durations(language: Language, seconds: String, text: String) throws {
        #expect(try messages.words(language).duration(seconds: seconds) == text)
    }

    @Test(
        "a number of days has the right form of the noun",
        arguments: [
            (.english, "1", "1 day"), (.english, "14", "14 days"), (.german, "1", "1 Tag"), (.german, "30", "30 Tagen"),
            (.russian, "1", "1 день"), (.russian, "3", "3 дня"), (.russian, "14", "14 дней"),
            (.russian, "21", "21 день"),
            (.japanese, "14", "14 日"), (.simplifiedChinese, "14", "14 天"), (.english, "soon", "soon"),
        ] as [(Language, String, String)])
    func days(language: Language, count: String, text: String) throws {
        #expect(try messages.words(language).days(count) == text)
    }

    @Test(
        "a date follows the rules of its language",
        arguments: [
            (.english, "2026-11-21T13:15:48Z", "21\u{A0}November 2026"), (.german, "2026-03-01", "1.\u{A0}März 2026"),
            (.russian, "2026-05-09T00:00:00Z", "9\u{A0}мая 2026\u{A0}г."),
            (.japanese, "2026-01-02T00:00:00Z", "2026年1月2日"),
            (.simplifiedChinese, "2026-12-31T00:00:00Z", "2026年12月31日"),
            (.english, "2026-13-01T00:00:00Z", "2026-13-01T00:00:00Z"), (.english, "yesterday", "yesterday"),
            (.english, "", ""), (.english, "-026-01-01", "-026-01-01"),
        ] as [(Language, String, String)])
    func dates(language: Language, time: String, text: String) throws {
        #expect(try messages.words(language).date(time) == text)
    }

    @Test("a message is split at its placeholders")
    func pieces() {
        #expect(Message("a {b} c{d_e}")?.pieces == [.text("a "), .place("b"), .text(" c"), .place("d_e")])
        #expect(Message("a {b}")?.text(["b": "{c}", "c": "no"]) == "a {c}")
        #expect(Message("plain")?.places == [])
    }

    @Test("a number in a sentence is plain text, other values are isolated")
    func numbers() throws {
        let sentence = try messages.words(.german).sentence(
            "confirm.lead", ["email": "a@b.example"], numbers: ["length": "6"])
        #expect(sentence.compactMap { $0["place"] as? String } == ["a@b.example"])
        #expect(sentence.compactMap { $0["plain"] as? String }.joined().contains("6-stellig"))
    }
}
