import JSON
import Testing
import Vocabulary

@Suite("Values that a refusal repeats")
struct SentTextTests {
    @Test(
        "Characters that control a device or reorder text are dropped, and a long text is cut",
        arguments: [
            ("shop", "shop"), ("a\u{1B}[2Jb\r\nc\u{0}", "a[2Jbc"), ("a\u{202E}b\u{2028}c", "abc"), ("<b>\"", "<b>\""),
            (String(repeating: "a", count: 200), String(repeating: "a", count: 200)),
            (String(repeating: "a", count: 201), String(repeating: "a", count: 200) + "…"),
            ("e" + String(repeating: "\u{301}", count: 5_000), "e" + String(repeating: "\u{301}", count: 199) + "…"),
        ])
    func shown(sent: String, shown: String) {
        #expect(Array(SentText(sent).description.unicodeScalars) == Array(shown.unicodeScalars))
    }

    @Test(
        "The audit log has an address without its query, its fragment and its user",
        arguments: [
            ("https://a.example/back?code=hush", "https://a.example/back"),
            ("https://a.example/back#token=hush", "https://a.example/back"),
            ("https://ann:hush@a.example/back", "https://a.example/back"),
            ("https://ann:hush@a.example?x=@", "https://a.example"),
            ("https://a.example/@ann", "https://a.example/@ann"), ("com.example.app:/back", "com.example.app:/back"),
            ("//", "//"), ("", ""),
        ])
    func address(sent: String, kept: String) {
        #expect(SentText(sent).withoutQuery == kept)
        let detail = Rejection.redirectNotAllowed(SentText(sent)).sentDetail
        #expect(detail == JSON.object(["redirect_uri": .string(kept)]).text)
    }

    @Test("A refusal without a value of the request, and one of a secret, leave no detail")
    func none() {
        for refusal in [
            Rejection.clientUnknown(), .redirectNotAllowed(registered: ["https://a.example/"]), .invalidCredentials(),
            .codeWrong(triesLeft: 1), .tokenInvalid, .invalidField(.password, .tooLong),
        ] { #expect(refusal.sentDetail == nil) }
    }
}
