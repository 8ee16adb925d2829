/// The texts of one message in its reader's language, with its values.
struct LetterTexts: Sendable {
    let catalogue: MessageCatalogue
    let language: MessageLanguage
    /// The values of the placeholders.
    let values: [String: String]

    func callAsFunction(_ key: String, _ more: [String: String] = [:]) -> String {
        catalogue.text(key, language, values.merging(more) { _, new in new })
    }

    func paragraphs(_ keys: String...) -> [Letter.Paragraph] { keys.map { .text(self($0)) } }
}
