import Logging
import TestSupport
import Testing

@testable import Console
@testable import HTTPServer
@testable import Pages
@testable import Web

extension PageRenderer {
    /// The pages of a folder, with the promised messages of the program.
    init(folder: String = Self.folder, logger: Logger) throws(PageResourceError) {
        try self.init(folder: folder, promised: .bundled, logger: logger)
    }

    /// The program's own pages, without a log.
    init() throws {
        try self.init(logger: .silent)
    }

    /// One renderer for all tests: each reads every template and message.
    static let bundled = Result { try PageRenderer() }

    /// The document, which must exist.
    func shown(_ page: some Page, _ language: Language) throws -> [UInt8] {
        let html = render(page, language)
        return try #require(html)
    }
}

extension Messages.Promised {
    static var bundled: Self { Self(pages: Array(Messages.promised), console: ConsoleWords.promised) }
}

extension Messages {
    init(folder: String) throws(PageResourceError) { try self.init(folder: folder, promised: .bundled) }

    static func bundled() throws(PageResourceError) -> Messages {
        try Messages(folder: PageRenderer.folder + "/Messages")
    }
}

extension PageTemplates {
    static func bundled(_ part: Part) throws(PageResourceError) -> PageTemplates {
        try PageTemplates(part, folder: PageRenderer.folder + "/Templates")
    }
}

extension PageAssets {
    static func bundled() throws(PageResourceError) -> PageAssets {
        try PageAssets(folder: PageRenderer.folder + "/Assets")
    }
}
