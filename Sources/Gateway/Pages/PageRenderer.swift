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
    private let templates: PageTemplates
    private let cache = DocumentCache(size: 256)

    /// Reads messages, templates and assets.
    ///
    /// - Throws: ``PageResourceError``, which names the file that isn't as it must be.
    init() throws(PageResourceError) {
        messages = try Messages.bundled()
        templates = try PageTemplates.bundled()
        assets = try PageAssets.bundled()
        try templates.check(against: messages[.english])
    }

    /// The document, UTF-8.
    func render(_ page: some Page, _ language: Language) -> [UInt8] {
        let words = messages[language]
        var mask = TextMask(words: words)
        let masked = page.masked(by: &mask)
        let document = cache.document(DocumentCache.Key(language: language, page: masked)) {
            MaskedDocument(html(masked.values(in: words), type(of: masked).template, words))
        }
        return document.filled(with: mask.texts)
    }

    /// The same for a page of the console: hardly two are alike, so none is kept.
    func render(_ page: some ConsolePage, _ language: Language) -> [UInt8] {
        let words = messages[language]
        var writer = ConsoleWriter(words: words, frame: page.frame)
        let values = writer.framed(page.values(&writer))
        return MaskedDocument(html(values, type(of: page).template, words)).filled(with: writer.mask.texts)
    }

    private func html(_ values: [String: Any], _ template: String, _ words: Words) -> String {
        var values = values
        values["words"] = words
        values["template"] = template
        values["language"] = words.language.rawValue
        values["assets"] = assets.addresses
        return library.render(values, withTemplate: "document") ?? ""
    }

    private var library: MustacheLibrary { templates.library }
}
