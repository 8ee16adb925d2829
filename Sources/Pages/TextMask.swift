/// Replaces the texts of a page by marks.
///
/// A mark is U+0001, a number, U+0002; that of a time begins with U+0003. Templates and messages contain none of these
/// characters, and no text of a page can add one, because each text is replaced as a whole.
package struct TextMask {
    static let start: UInt8 = 0x01
    static let timeStart: UInt8 = 0x03
    static let end: UInt8 = 0x02

    /// The replaced texts by the number of their mark.
    package private(set) var texts: [String] = []
    package let words: Words

    package init(words: Words) {
        self.words = words
        texts.reserveCapacity(48)
    }

    /// Masks a value that is shown unchanged, such as that of a form field.
    ///
    /// An empty one stays empty for the template.
    package mutating func exact(_ text: String) -> String {
        guard !text.isEmpty else { return "" }
        texts.append(text)
        return Self.mark(texts.count - 1)
    }

    /// Masks a text for readers, without control characters that could reorder the words around it.
    package mutating func shown(_ text: String) -> String { exact(DisplayText.cleaned(text)) }

    package mutating func shown(ifAny text: String?) -> String? {
        guard let text else { return nil }
        return shown(text)
    }

    /// Masks the target of a link or form.
    package mutating func address(_ text: String) -> String { exact(PageAddress.isHarmless(text) ? text : "#") }

    /// Masks the day of an RFC 3339 time, as ``moment(_:)`` does.
    package mutating func date(_ text: String) -> String { time(text, words.date(text)) }

    /// Masks an RFC 3339 time for the content of an element, never for an attribute.
    ///
    /// It becomes a `time` element with the words in UTC, which a script changes to the reader's zone.
    package mutating func moment(_ text: String) -> String { time(text, words.moment(text)) }

    private mutating func time(_ text: String, _ words: String) -> String {
        guard words != text else { return shown(text) }
        texts += [text, words]
        return "\u{3}\(texts.count - 2)\u{2}"
    }

    /// The arguments of a message; nil if one is missing.
    ///
    /// `seconds` and `date` are formatted in the language of the page, as in "in 2 minutes".
    package mutating func arguments(of key: String, from given: [String: String]) -> [String: String]? {
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
