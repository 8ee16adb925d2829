import Foundation
import JSON
import Providers
import Testing

@testable import Console
@testable import HTTPServer
@testable import OpenID
@testable import Pages
@testable import Web

@Suite("The words of the pages")
struct MessagesTests {
    /// The sources that name messages.
    private static func files() throws -> [String] {
        try ["Pages", "Web", "OpenID", "Console"].flatMap { try Pages.swiftFiles("Sources/\($0)") }
    }

    @Test("every language has every message with the same places", arguments: Language.allCases)
    func complete(language: Language) throws {
        let messages = try Messages.bundled()
        let source = try messages.console(.english).messages.mapValues(\.places)
        #expect(try messages.console(language).messages.mapValues(\.places) == source)
        #expect(source.count > 800)
        let pages = try messages.words(language).messages
        #expect(pages.count > 400)
        #expect(pages.keys.allSatisfy { !$0.hasPrefix("console.") })
    }

    @Test("languages differ", arguments: Language.allCases.filter { $0 != .english })
    func translated(language: Language) throws {
        let messages = try Messages.bundled()
        // A message of placeholders alone may be equal, but not a sentence.
        let sentences = try messages.console(.english).messages.filter {
            $0.value.text().split(separator: " ").count > 3
        }
        let translated = try messages.console(language).messages
        for (key, message) in sentences { #expect(translated[key] != message, "\(key)") }
    }

    @Test("every message is used")
    func unused() throws {
        var asked = Messages.promised.union(ConsoleWords.promised).union(Messages.promisedByOpenID)
        for keys in try PageTemplates.bundled(.console).keys.values { asked.formUnion(keys) }
        asked.formUnion((1...12).map { "month.\($0)" })
        asked.formUnion(AuditReasons.codes.map { "console.reason.\($0)" })
        for unit in ["seconds", "minutes", "hours", "days"] {
            asked.formUnion(PluralForm.allCases.map { "duration.\(unit).\($0.rawValue)" })
        }
        asked.formUnion((SamplePages.providerIDs + Brand.all.map(\.id.rawValue)).map(Brand.label))
        let sources = try Self.files().map(Pages.text).joined()
        for key in try Messages.bundled().console(.english).messages.keys.sorted() where !asked.contains(key) {
            #expect(sources.contains("\"\(key)\""), "\(key)")
        }
    }

    @Test("every refusal has a text of its own on the console", arguments: Language.allCases)
    func refusals(language: Language) throws {
        let words = try Messages.bundled().console(language)
        let texts = AuditReasons.codes.map { words.text("console.reason.\($0)") }
        let lacking = zip(AuditReasons.codes, texts).filter(\.1.isEmpty).map(\.0)
        #expect(texts.count > 100 && lacking == [])
        #expect(Set(texts).count == texts.count)
    }

    @Test("messages that Swift uses by name exist")
    func asked() throws {
        let messages = try Messages.bundled().console(.english).messages
        var found = 0
        for file in try Self.files() {
            for call in ["text(\"", "sentence(\"", "heading: \""] {
                for rest in try Pages.text(file).components(separatedBy: call).dropFirst() {
                    let key = rest.prefix { $0 != "\"" }
                    guard !key.contains("\\") else { continue }
                    found += 1
                    #expect(messages[String(key)] != nil, "\(file): \(key)")
                }
            }
        }
        #expect(found > 10)
    }

    @Test("no key is a prefix of another, which would be ambiguous in templates")
    func prefixes() throws {
        let keys = try Messages.bundled().console(.english).messages.keys
        for key in keys { #expect(!keys.contains { $0.hasPrefix("\(key).") }, "\(key)") }
    }

    @Test(
        "a broken catalogue is refused with file and key",
        arguments: [
            ("ja.json", "login.or", nil, PageResourceError.missing("Messages/ja.json", key: "login.or")),
            ("en.json", "problem.throttled", nil, .missing("Messages/en.json", key: "problem.throttled")),
            ("de.json", "login.other", "Mehr", .unknown("Messages/de.json", key: "login.other")),
            ("ru.json", "lead.client", "Дальше", .differentPlaces("Messages/ru.json", key: "lead.client")),
            ("ru.json", "login.or", "или {client}", .differentPlaces("Messages/ru.json", key: "login.or")),
            ("de.json", "login.or", "", .malformed("Messages/de.json", key: "login.or")),
            ("de.json", "login.or", "oder {", .malformed("Messages/de.json", key: "login.or")),
            ("de.json", "login.or", "oder }", .malformed("Messages/de.json", key: "login.or")),
            ("de.json", "login.or", "oder {}", .malformed("Messages/de.json", key: "login.or")),
            ("de.json", "login.or", "oder {A b}", .malformed("Messages/de.json", key: "login.or")),
            ("de.json", "login.or", "oder\u{1}", .malformed("Messages/de.json", key: "login.or")),
        ] as [(String, String, String?, PageResourceError)])
    func broken(file: String, key: String, text: String?, error: PageResourceError) throws {
        let folder = try Self.copy { try Self.change(file, in: $0, key: key, to: text) }
        defer { try? FileManager.default.removeItem(at: folder) }
        let messages = try Messages(folder: folder.path)
        let language = try #require(Language.allCases.first { file.hasSuffix("\($0.rawValue).json") })
        #expect(throws: error) { try messages.words(language) }
        #expect(throws: error) { try messages.console(language) }
        // Later callers get the error too.
        #expect(throws: error) { try messages.words(language) }
        #expect(error.description.contains(file))
        #expect(error.description.contains(key))
    }

    @Test("a broken catalogue of the console doesn't affect other pages")
    func brokenConsole() throws {
        let folder = try Self.copy { try Self.change("console/de.json", in: $0, key: "console.nav.search", to: nil) }
        defer { try? FileManager.default.removeItem(at: folder) }
        let messages = try Messages(folder: folder.path)
        let error = PageResourceError.missing("Messages/console/de.json", key: "console.nav.search")
        #expect(throws: error) { try messages.console(.german) }
        #expect(try messages.words(.german).text("login.or") == "oder")
        #expect(try !messages.console(.english).text("console.nav.search").isEmpty)
    }

    @Test("a file that is missing or not a JSON object is named")
    func unreadable() throws {
        let missing = try Self.copy { try FileManager.default.removeItem(at: $0.appending(path: "ru.json")) }
        defer { try? FileManager.default.removeItem(at: missing) }
        #expect(throws: PageResourceError.unreadable("Messages/ru.json")) { try Messages(folder: missing.path) }
        let twice = try Self.copy { try Data(#"{"a":"b","a":"c"}"#.utf8).write(to: $0.appending(path: "de.json")) }
        defer { try? FileManager.default.removeItem(at: twice) }
        #expect(throws: PageResourceError.noObject("Messages/de.json")) {
            try Messages(folder: twice.path).words(.german)
        }
        #expect(try !Messages(folder: twice.path).words(.russian).messages.isEmpty)
    }

    @Test("a template with an unknown message is refused", arguments: ["login.no_such", "lead.client"])
    func template(key: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "templates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("<p>{{words.login.or}}{{words.\(key)}}</p>".utf8).write(to: folder.appending(path: "odd.mustache"))
        let templates = try PageTemplates(.pages, folder: folder.path)
        let words = try Messages.bundled().words(.english)
        #expect(throws: PageResourceError.noMessage("Templates/odd.mustache", key: key)) {
            try templates.check(against: words)
        }
    }

    @Test(
        "a template with an unclosed tag, or with a mark, is named",
        arguments: ["{{#a}}", "{{a", "\u{1}0\u{2}"])
    func brokenTemplate(text: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "templates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("<p>\(text)</p>".utf8).write(to: folder.appending(path: "odd.mustache"))
        #expect(throws: PageResourceError.noTemplate("Templates/odd.mustache")) {
            try PageTemplates(.pages, folder: folder.path)
        }
        #expect(throws: PageResourceError.unreadable("Templates")) {
            try PageTemplates(.pages, folder: folder.path + "/no")
        }
        #expect(throws: PageResourceError.self) { try PageAssets(folder: folder.path) }
    }

    /// Changed catalogues in their own folder.
    private static func copy(_ change: (URL) throws -> Void) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "messages-\(UUID().uuidString)")
        try FileManager.default.copyItem(
            at: Configurations.root.appending(path: "Sources/Pages/Messages").resolvingSymlinksInPath(), to: folder)
        try change(folder)
        return folder
    }

    private static func change(_ file: String, in folder: URL, key: String, to text: String?) throws {
        let place = folder.appending(path: file)
        var messages = try #require(
            try JSON(parsing: Array(Data(contentsOf: place)), limits: JSONLimits(bytes: 512 * 1024, members: 5_000))
                .object)
        messages[key] = text.map { .string($0) }
        try Data(JSON.object(messages).bytes()).write(to: place)
    }
}
