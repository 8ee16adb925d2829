import HTTPServer
import Pages

extension PageRenderer {
    /// The document of a console page: hardly two are equal, so none is cached.
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
}
