import ArgumentParser
import Settings

/// An argument that is one of a list of words.
enum Word {
    /// Reads a case of an enumeration.
    static func one<Choice: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        of type: Choice.Type
    ) -> @Sendable (String) throws -> Choice {
        { text in
            if let choice = Choice(rawValue: text) { return choice }
            throw fault(text, among: Choice.allCases.map(\.rawValue))
        }
    }

    /// Reads one of some texts.
    static func one(of words: [String]) -> @Sendable (String) throws -> String {
        { text in
            guard words.contains(text) else { throw fault(text, among: words) }
            return text
        }
    }

    /// `choose a, b or c. Did you mean 'b'?`, for the end of the parser's sentence.
    private static func fault(_ text: String, among words: [String]) -> ValidationError {
        let list = (words.dropLast(2) + [words.suffix(2).joined(separator: " or ")]).joined(separator: ", ")
        return ValidationError("choose \(list).\(NearestWord.hint(text, among: words))")
    }
}
