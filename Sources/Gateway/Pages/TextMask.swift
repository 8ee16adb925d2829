/// Takes the texts of a page out of it and leaves marks in their places.
///
/// A mark is U+0001, a number, U+0002: characters that neither templates nor messages hold, and that no text of a model
/// can bring in, because it is taken out whole. Being ASCII, marks are hashed and compared fast.
struct TextMask {
    static let start: UInt8 = 0x01
    static let end: UInt8 = 0x02

    /// Those taken out, by the number of their mark.
    private(set) var texts: [String] = []
    let words: Words

    init(words: Words) {
        self.words = words
        texts.reserveCapacity(48)
    }

    /// A value that must come back as it is, such as a form's; an empty one stays, so that templates can ask for it.
    mutating func exact(_ text: String) -> String {
        guard !text.isEmpty else { return "" }
        texts.append(text)
        return Self.mark(texts.count - 1)
    }

    /// Something to be read: without the controls that could reorder the words around it.
    mutating func shown(_ text: String) -> String { exact(DisplayText.cleaned(text)) }

    mutating func shown(ifAny text: String?) -> String? {
        guard let text else { return nil }
        return shown(text)
    }

    /// Where a link leads or a form posts to.
    mutating func address(_ text: String) -> String { exact(PageAddress.isHarmless(text) ? text : "#") }

    mutating func date(_ text: String) -> String { shown(words.date(text)) }

    /// What fills the places of a message; nil where something is wanting.
    ///
    /// `seconds` are told in the words of the language, so that the message can say "in 2 minutes"; a `date` too.
    mutating func arguments(of key: String, from given: [String: String]) -> [String: String]? {
        guard let places = words.messages[key]?.places, places.allSatisfy({ given[$0] != nil }) else { return nil }
        var masked: [String: String] = [:]
        for place in places {
            let text = given[place, default: ""]
            switch place {
            case "seconds": masked[place] = shown(words.duration(seconds: text))
            case "date": masked[place] = date(text)
            default: masked[place] = shown(text)
            }
        }
        return masked
    }

    private static let marks = (0..<96).map(makeMark)

    private static func mark(_ number: Int) -> String {
        number < marks.count ? marks[number] : makeMark(number)
    }

    private static func makeMark(_ number: Int) -> String { "\u{1}\(number)\u{2}" }
}
