import Foundation
package import HTTPServer
package import Logging
package import Mustache
package import Vocabulary

/// Renders the hosted pages: a page and a language in, the bytes of a whole document out.
///
/// Templates are slow and don't work on bytes, so each runs once for all pages that differ only in their texts:
///
/// 1. ``Page/masked(by:)`` takes the texts out of the page: names, addresses, field values. The rest, with the
/// language, identifies the document: the number of buttons, the problem, whether there is a password form.
/// 2. If it was not rendered before, the template renders the masked page, and the document is split at the marks.
/// 3. The texts are written into the gaps, escaped.
///
/// So the template engine never sees external text, and texts become HTML in one place.
package struct PageRenderer: Sendable {
    package let messages: Messages
    package let assets: PageAssets
    private let pages: Lazily<PageTemplates>
    package let console: Lazily<PageTemplates>
    private let cache = DocumentCache(memory: 2 << 20)
    private let logger: Logger

    /// The pages of this program.
    static var folder: String { Bundle.module.bundlePath }

    /// Reads the assets, and checks that messages and templates exist: those are read on first use.
    ///
    /// - Parameters:
    ///   - folder: contains `Messages`, `Templates` and `Assets`.
    ///   - promised: the keys of messages that code composes.
    ///   - logger: logs a page that can't be rendered.
    /// - Throws: ``PageResourceError`` with the missing file.
    package init(folder: String = Self.folder, promised: Messages.Promised, logger: Logger) throws(PageResourceError) {
        self.logger = logger
        let messages = try Messages(folder: folder + "/Messages", promised: promised)
        self.messages = messages
        assets = try PageAssets(folder: folder + "/Assets")
        let files = folder + "/Templates"
        guard FileManager.default.isReadableFile(atPath: files) else { throw .unreadable("Templates") }
        pages = Lazily { () throws(PageResourceError) in
            let templates = try PageTemplates(.pages, folder: files)
            try templates.check(against: try messages.words(.english))
            return templates
        }
        console = Lazily { () throws(PageResourceError) in
            let templates = try PageTemplates(.console, folder: files)
            try templates.check(against: try messages.console(.english))
            return templates
        }
    }

    /// The document, UTF-8; nil for invalid messages or templates, which are logged.
    ///
    /// - Parameters:
    ///   - impersonation: the bar of a browser whose operator acts for a user.
    ///   - requestID: the request in that log line; nil outside of one.
    package func render(
        _ page: some Page, _ language: Language, brand: PageBrand? = nil, botWidget: BotWidget? = nil,
        impersonation: ImpersonationBar? = nil, requestID: String? = nil
    ) -> [UInt8]? {
        logged(requestID) { () throws(PageResourceError) in
            let words = try messages.words(language)
            let library = try pages.value().library
            var mask = TextMask(words: words)
            let masked = page.masked(by: &mask)
            let bar = impersonation?.masked(by: &mask)
            let key = DocumentCache.Key(
                language: language, page: masked, brand: brand, botWidget: botWidget, impersonation: bar)
            let document = cache.document(key) {
                var values = masked.values(in: words)
                values["brand"] = brand?.values
                values["bot_widget"] = botWidget?.values
                values["impersonation"] = bar?.values
                return MaskedDocument(html(values, type(of: masked).template, words, library))
            }
            return document.filled(with: mask.texts)
        }
    }

    package func logged(_ requestID: String?, _ body: () throws(PageResourceError) -> [UInt8]) -> [UInt8]? {
        do {
            return try body()
        } catch {
            var metadata: Logger.Metadata = ["reason": "\(error)"]
            if let requestID { metadata["request_id"] = "\(requestID)" }
            logger.critical("a page can't be shown", metadata: metadata)
            return nil
        }
    }

    package func html(_ values: [String: Any], _ template: String, _ words: Words, _ library: MustacheLibrary) -> String
    {
        var values = values
        values["words"] = words
        values["template"] = template
        values["language"] = words.language.rawValue
        values["assets"] = assets.addresses
        return library.render(values, withTemplate: "document") ?? ""
    }
}
