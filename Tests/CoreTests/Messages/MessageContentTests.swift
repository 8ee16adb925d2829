import Cryptography
import Foundation
import JSON
import Testing

@testable import Messages

@Suite("Stored messages")
struct MessageContentTests {
    static let contents: [MessageContent] =
        CodePurpose.allCases.map { .code($0, "042137", lifeSeconds: 600) } + [
            .accountExists, .noAccount, .notice(kind: "identity_linked", detail: ["provider": "apple"]),
        ]

    @Test("a message opens only with its own unchanged row", arguments: contents)
    func sealed(content: MessageContent) throws {
        let box = SealedBox(try TestKeys.keys("k1"))
        let (id, other) = (UUID(), UUID())
        let sealed = box.seal(content, for: id)
        #expect(box.openContent(sealed, for: id) == content)
        #expect(box.openContent(sealed, for: other) == nil)
        #expect(box.openContent(Array(sealed.dropLast()), for: id) == nil)
        #expect(SealedBox(try TestKeys.keys("k2")).openContent(sealed, for: id) == nil)
        #expect(SealedBox(try TestKeys.keys("k2", "k1")).openContent(sealed, for: id) == content)
    }

    @Test("a code never prints")
    func silent() throws {
        let content = MessageContent.code(.reset, "042137", lifeSeconds: 600)
        var dumped = ""
        dump(content, to: &dumped)
        for text in ["\(content)", String(reflecting: content), String(describing: [content]), dumped] {
            #expect(!text.contains("042137"))
        }
    }

    @Test(
        "a message of another version is refused",
        arguments: [
            ("", [:]), ("code", [:]), ("code.sign_up", [:]), ("code.sign_up", ["code": "1"]),
            ("code.dance", ["code": "1", "life": 1]),
            ("account_exists.more", [:]), ("greeting", [:]),
        ] as [(String, JSONObject)])
    func unknown(kind: String, detail: JSONObject) {
        #expect(MessageContent(kind: kind, detail: detail) == nil)
    }

    @Test("pauses between tries grow to a quarter of an hour, and differ")
    func pauses() {
        #expect((1...9).map { Dispatcher.pause(afterTries: $0, chance: 0) } == [5, 10, 20, 40, 80, 160, 320, 640, 900])
        #expect(Dispatcher.pause(afterTries: 1, chance: 1) == 2.5)
        #expect(Dispatcher.pause(afterTries: 1_000_000, chance: 0.5) == 675)
        #expect(Dispatcher.pause(afterTries: 0, chance: 0) == 5)
    }
}
