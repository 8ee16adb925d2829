import Pages

/// Formats the values of a console page.
///
/// Every external text goes through here and is masked (``TextMask``) before the template engine sees it; it returns
/// escaped.
struct ConsoleWriter {
    private(set) var mask: TextMask
    let words: Words
    let frame: ConsoleFrame?

    init(words: Words, frame: ConsoleFrame?) {
        (self.words, self.frame) = (words, frame)
        mask = TextMask(words: words)
    }

    /// A text for display.
    mutating func shown(_ text: String) -> String { mask.shown(text) }

    /// The same for multi-line text.
    mutating func shownLines(_ text: String) -> String { exact(DisplayText.cleanedLines(text)) }

    mutating func shown(ifAny text: String?) -> String? { mask.shown(ifAny: text.flatMap { $0.isEmpty ? nil : $0 }) }

    /// A value that must be returned unchanged.
    mutating func exact(_ text: String) -> String { mask.exact(text) }

    /// A page of ours, in the current language.
    mutating func link(_ path: String, _ parameters: [(name: String, value: String)] = []) -> String {
        let locales = frame?.locales.map { [(name: "ui_locales", value: $0)] } ?? []
        return mask.address(ConsoleAddress.of(path, parameters + locales))
    }

    /// A message as text, for titles and attributes.
    mutating func message(_ key: String, _ arguments: [String: String] = [:]) -> String {
        words.text(key, mask.arguments(of: key, from: arguments) ?? [:])
    }

    /// A message for the template `sentence`.
    mutating func sentence(_ key: String, _ arguments: [String: String] = [:]) -> [[String: Any]] {
        words.sentence(key, mask.arguments(of: key, from: arguments) ?? [:])
    }

    /// A time for the template `console_time`; nil without one.
    mutating func time(_ text: String?) -> [String: Any]? {
        guard let text else { return nil }
        return ["iso": mask.exact(text), "at": mask.shown(words.moment(text))]
    }

    /// The same to the second, for events.
    mutating func exactTime(_ text: String?) -> [String: Any]? {
        guard let text else { return nil }
        return ["iso": mask.exact(text), "at": mask.shown(words.exactMoment(text))]
    }

    mutating func fields(_ fields: [HiddenField]) -> [[String: Any]] { mask.fields(fields).map(\.values) }

    mutating func provider(_ id: String) -> [String: Any] {
        [
            "icon": Brand.icon(of: id), "style": Brand.style(of: id),
            "provider_name": shown(providerName(id)),
        ]
    }

    /// The name of a provider; passwords, codes and passkeys have translated names.
    func providerName(_ id: String) -> String {
        ChoiceKind(rawValue: id).map { words.text("choice.\($0.rawValue)") } ?? frame?.providerName(id) ?? id
    }

    /// Adds the common frame.
    mutating func framed(_ values: [String: Any]) -> [String: Any] {
        guard let frame else { return values.merging(["width": "card"]) { first, _ in first } }
        var values = values
        values["width"] = "console"
        values["hidden"] = fields(frame.hidden)
        values["locales"] = shown(ifAny: frame.locales)
        values["problem"] = frame.problem.map { ["problem_text": refusal($0)] }
        values["console"] = [
            "home": link("/admin"), "who": shown(frame.who), "role_label": message("console.role.\(frame.role)"),
            "entries": ConsoleSection.allCases.map { section in
                [
                    "address": link(section.path), "label": message("console.nav.\(section.rawValue)"),
                    "is_current": section == frame.section,
                ] as [String: Any]
            },
        ]
        return values
    }

    /// A code without a message becomes the generic one.
    mutating func refusal(_ refusal: ConsoleRefusal) -> [[String: Any]] {
        let code = ConsoleWords.refusals.contains(refusal.code) ? refusal.code : "invalid_request"
        let parts = refusal.parts.filter(ConsoleWords.parts.contains).map { message("console.part.\($0)") }
        return sentence("console.refusal.\(code)", ["parts": parts.joined(separator: ", ")])
    }
}

/// URLs of the console.
enum ConsoleAddress {
    static func of(_ path: String, _ parameters: [(name: String, value: String)]) -> String {
        guard !parameters.isEmpty else { return path }
        return path + "?" + parameters.map { "\($0.name)=\(escaped($0.value))" }.joined(separator: "&")
    }

    static func ofAccount(_ id: String, _ page: String = "") -> String {
        "/admin/accounts/\(id)" + (page.isEmpty ? "" : "/\(page)")
    }

    /// RFC 3986 §2.3: all except unreserved characters are escaped.
    private static func escaped(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension [String: Any] {
    /// Sets a template value.
    ///
    /// A missing one becomes false, so that the template doesn't find an outer value of the same name.
    mutating func set(_ name: String, _ value: Any?) { self[name] = value ?? false }
}
