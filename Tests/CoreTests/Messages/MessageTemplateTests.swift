import Foundation
import Testing

@testable import Messages

@Suite("Messages that operators can edit")
struct MessageTemplateTests {
    @Test("the keys of a message are exactly those of its texts", arguments: MessageTemplate.all.map(\.id))
    func keys(id: String) throws {
        let template = try #require(MessageTemplate.with(id))
        let bundled = try MessageCatalogue.bundled()
        var marked = bundled
        for key in MessageKeys.all {
            let places = bundled.source(of: key, in: .english)?.places.map { "{\($0)}" }.joined() ?? ""
            let text = try #require(MessageText("[\(key)]\(places)"))
            marked = marked.changing([key: text], in: .english)
        }
        let writer = MessageWriter(
            texts: MessageTexts(marked), brands: MessageBrands(serviceName: "Ducks"), publicURL: "https://ducks.org",
            language: "en", tickets: DisownTickets(keys: try TestKeys.keys("k1")))
        let letter = writer.letter(template.example, "en")
        let shown = [letter.subject, letter.textBody, writer.sms(template.example, "en")].joined()
        let used = MessageKeys.all.filter { shown.contains("[\($0)]") && !$0.hasPrefix("life.") }
        // A known device takes the place of the word for an unknown one.
        let expected = Set(template.keys).subtracting(["notice.new_device.unknown"])
        #expect(Set(used) == expected)
    }

    @Test("every text is part of a message, or of all of them")
    func complete() {
        let edited = Set(MessageTemplate.all.flatMap(\.keys))
        #expect(MessageKeys.all.subtracting(edited).allSatisfy { $0.hasPrefix("life.") || $0.hasPrefix("footer.") })
        #expect(Set(MessageTemplate.all.map(\.id)).count == MessageTemplate.all.count)
        #expect(MessageTemplate.all.allSatisfy { $0.id.allSatisfy { $0.isLowercase || $0 == "-" } })
    }
}
