import Testing

@testable import Vocabulary

@Suite("Links in operators' texts")
struct MessageLinkTests {
    @Test(
        "3-B10: a word is a link if mail programs show it as one",
        arguments: [
            ("https://evil.example/", true), ("WWW.evil", true), ("evil.example/reset", true),
            ("evil\u{FF0E}example", true), ("evil\u{3002}example/login", true), ("evil\u{FF61}example", true),
            ("ｅｖｉｌ\u{3002}ｅｘａｍｐｌｅ", true), ("192.0.2.1/login", true), ("(192\u{3002}0\u{3002}2\u{3002}1)", true),
            ("コードです\u{3002}次のコードを入力してください\u{3002}", false), ("验证码已发送\u{3002}请输入", false),
            ("2026.11.28", false), ("1.2.3", false), ("10.000.000", false), ("end.", false), ("{service}", false),
        ])
    func words(text: String, isLink: Bool) {
        #expect(MessageLink.words(in: "see \(text) now") == (isLink ? [text] : []))
    }
}
