/// A whole password, and the words from which a user may have made it.
///
/// Attackers try the trailing digits and signs (`Sunshine2024!`) and the usual substitutions (`p4ssw0rd`) next. No form is
/// a part of the password: a phrase may contain any word (NIST SP 800-63B-4 §3.1.1.2).
struct PasswordForms {
    private let forms: Set<String>
    let isOneCharacter: Bool

    init(_ password: String) {
        let folded = password.lowercased()
        let stem = Self.stem(of: folded)
        forms = [folded, stem, Self.unswapped(folded), Self.unswapped(stem)]
        isOneCharacter = folded.allSatisfy { $0 == folded.first }
    }

    /// - Parameter words: in lower case.
    func areAny(of words: Set<String>) -> Bool { !forms.isDisjoint(with: words) }

    /// A text without its trailing digits and signs.
    static func stem(of text: String) -> String { String(text.reversed().drop { !$0.isLetter }.reversed()) }

    private static func unswapped(_ text: String) -> String { String(text.map { swaps[$0] ?? $0 }) }

    private static let swaps: [Character: Character] = [
        "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i",
    ]
}
