import Foundation
import TestSupport
import Testing

@testable import Console
@testable import HTTPServer
@testable import Pages

@Suite("Pages with invalid files")
struct PageResourcesTests {
    @Test("an unreadable language affects only its own pages")
    func language() throws {
        try Self.withCopy { folder in
            try Data("{}".utf8).write(to: folder.appending(path: "Messages/de.json"))
            let renderer = try PageRenderer(folder: folder.path, logger: .silent)
            #expect(renderer.render(SamplePages().login, .german) == nil)
            #expect(
                try renderer.shown(SamplePages().login, .english) == PageRenderer().shown(SamplePages().login, .english)
            )
        }
    }

    @Test("an unreadable template of the console doesn't affect other pages")
    func console() throws {
        try Self.withCopy { folder in
            try Data("{{#a}}".utf8).write(to: folder.appending(path: "Templates/console_search.mustache"))
            let renderer = try PageRenderer(folder: folder.path, logger: .silent)
            let notice = ConsoleNotice(
                frame: nil, refusal: ConsoleRefusal(code: "not_found"), requestID: "abc", action: (.back, "/admin"))
            #expect(renderer.render(notice, .english) == nil)
            #expect(renderer.render(SamplePages().login, .english) != nil)
        }
    }

    @Test(
        "a missing file is named immediately", arguments: ["Messages/ja.json", "Messages/console/ru.json", "Templates"])
    func missing(file: String) throws {
        try Self.withCopy { folder in
            try FileManager.default.removeItem(at: folder.appending(path: file))
            #expect(throws: PageResourceError.unreadable(file)) {
                try PageRenderer(folder: folder.path, logger: .silent)
            }
        }
    }

    private static func withCopy(_ body: (URL) throws -> Void) throws {
        let copy = FileManager.default.temporaryDirectory.appending(path: "pages-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: copy) }
        try FileManager.default.copyItem(at: URL(filePath: PageRenderer.folder), to: copy)
        try body(copy)
    }
}
