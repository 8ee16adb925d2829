import Logging
import TestSupport
import Testing

@testable import Gateway

extension PageRenderer {
    /// The program's own pages, without a log.
    init() throws {
        try self.init(logger: .silent)
    }

    /// The document, which must exist.
    func shown(_ page: some Page, _ language: Language) throws -> [UInt8] {
        let html = render(page, language)
        return try #require(html)
    }
}

extension Messages {
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
