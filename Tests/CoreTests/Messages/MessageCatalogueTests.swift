import Foundation
import Testing

@testable import Messages

@Suite("The catalogue of messages")
struct MessageCatalogueTests {
    private static let source = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/Messages/Texts").path

    private func catalogue(
        _ language: String, _ change: (String) -> String
    ) throws(MessageCatalogueError) -> MessageCatalogue {
        let folder = FileManager.default.temporaryDirectory.appending(path: "messages-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try? FileManager.default.copyItem(atPath: Self.source, toPath: folder)
        let file = "\(folder)/\(language).json"
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        try? change(text).write(toFile: file, atomically: false, encoding: .utf8)
        return try MessageCatalogue(folder: folder)
    }

    @Test("a translation with a missing or extra message, or other placeholders, is refused")
    func refused() throws {
        _ = try catalogue("de") { $0 }
        #expect(throws: MessageCatalogueError.missing("de.json", key: "life.hours")) {
            try catalogue("de") { $0.replacing("\"life.hours\": \"{count} h\",", with: "") }
        }
        #expect(throws: MessageCatalogueError.unknown("de.json", key: "life.weeks")) {
            try catalogue("de") { $0.replacing("{\n", with: "{\n\"life.weeks\": \"a\",") }
        }
        #expect(throws: MessageCatalogueError.differentPlaces("de.json", key: "life.hours")) {
            try catalogue("de") { $0.replacing("{count} h", with: "{code} h") }
        }
        #expect(throws: MessageCatalogueError.malformed("de.json", key: "life.hours")) {
            try catalogue("de") { $0.replacing("{count} h", with: "{count h") }
        }
        #expect(throws: MessageCatalogueError.unreadable("en.json")) { try catalogue("en") { _ in "[]" } }
    }

    @Test("languages differ", arguments: MessageLanguage.allCases.filter { $0 != .english })
    func translated(language: MessageLanguage) throws {
        let catalogue = try MessageCatalogue.bundled()
        for key in MessageKeys.all where !key.hasPrefix("life.") {
            #expect(catalogue.text(key, language, [:]) != catalogue.text(key, .english, [:]), "\(key)")
        }
    }

    @Test(
        "a text with an extra brace, an unnamed placeholder or a line break is refused",
        arguments: ["", "{", "}", "{a", "a}", "{}", "{A}", "{a}}", "{{a}", "a\nb"])
    func malformed(text: String) {
        #expect(MessageText(text) == nil)
    }
}
