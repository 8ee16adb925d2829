import Foundation
import Logging
import Mustache

/// Renders the hosted pages: a page and a language in, the bytes of a whole document out.
///
/// Templates are slow and know nothing of bytes, so each works once for all pages that differ in their texts alone:
///
/// 1. ``Page/masked(by:)`` takes the texts out of the page: names, addresses, values of fields. What is left, with the
///    language, says which document it is: how many buttons, which problem, whether there is a password form.
/// 2. Was it rendered before? If not, the template renders the masked page, and the document is cut at the marks.
/// 3. The texts are written into the gaps, escaped.
///
/// So the template engine never sees a text that is not ours, and there is one place where texts become HTML.
struct PageRenderer: Sendable {
    let messages: Messages
    let assets: PageAssets
    private let pages: Lazily<PageTemplates>
    private let console: Lazily<PageTemplates>
    private let cache = DocumentCache(memory: 2 << 20)
    private let logger: Logger

    /// The pages that come with the program.
    static var folder: String { Bundle.module.bundlePath }

    /// Reads the assets, and looks whether messages and templates are there: those are read for the first visitor.
    ///
    /// - Parameters:
    ///   - folder: where `Messages`, `Templates` and `Assets` are.
    ///   - logger: hears of a page that can't be shown.
    /// - Throws: ``PageResourceError``, which names the file that isn't there.
    init(folder: String = Self.folder, logger: Logger) throws(PageResourceError) {
        self.logger = logger
        let messages = try Messages(folder: folder + "/Messages")
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

    /// The document, UTF-8; nil where messages or templates aren't as they must be, which the log then tells.
    ///
    /// - Parameter requestID: names the request in that line; nil outside of one.
    func render(_ page: some Page, _ language: Language, requestID: String? = nil) -> [UInt8]? {
        logged(requestID) { () throws(PageResourceError) in
            let words = try messages.words(language)
            let library = try pages.value().library
            var mask = TextMask(words: words)
            let masked = page.masked(by: &mask)
            let document = cache.document(DocumentCache.Key(language: language, page: masked)) {
                let values = masked.values(in: words)
                return MaskedDocument(html(values, type(of: masked).template, words, library))
            }
            return document.filled(with: mask.texts)
        }
    }

    /// The same for a page of the console: hardly two are alike, so none is kept.
    func render(_ page: some ConsolePage, _ language: Language, requestID: String? = nil) -> [UInt8]? {
        logged(requestID) { () throws(PageResourceError) in
            let words = try messages.console(language)
            let library = try console.value().library
            var writer = ConsoleWriter(words: words, frame: page.frame)
            let values = writer.framed(page.values(&writer))
            let document = MaskedDocument(html(values, type(of: page).template, words, library))
            return document.filled(with: writer.mask.texts)
        }
    }

    private func logged(_ requestID: String?, _ body: () throws(PageResourceError) -> [UInt8]) -> [UInt8]? {
        do {
            return try body()
        } catch {
            var metadata: Logger.Metadata = ["reason": "\(error)"]
            if let requestID { metadata["request_id"] = "\(requestID)" }
            logger.critical("a page can't be shown", metadata: metadata)
            return nil
        }
    }

    private func html(_ values: [String: Any], _ template: String, _ words: Words, _ library: MustacheLibrary) -> String
    {
        var values = values
        values["words"] = words
        values["template"] = template
        values["language"] = words.language.rawValue
        values["assets"] = assets.addresses
        return library.render(values, withTemplate: "document") ?? ""
    }
}
