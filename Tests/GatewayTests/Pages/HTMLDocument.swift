/// A strictly parsed page: anything but plain well-formed markup is an error, so that no browser can read it
/// differently.
struct HTMLDocument {
    struct Element {
        let name: String
        var attributes: [String: String] = [:]
        /// Attribute names in their order.
        var names: [String] = []
        /// The numbers of the enclosing elements, outermost first.
        let ancestors: [Int]
        /// All text inside, including that of children.
        var text = ""

        /// Whether it is an invisible field.
        var isHidden: Bool { attributes["type"] == "hidden" || attributes["hidden"] != nil }
    }

    enum Malformed: Error, Equatable {
        case tag(String)
        case nesting(String)
        case reference(String)
        case character(UInt32)
    }

    private static let void: Set = ["meta", "link", "input", "path", "circle", "rect", "br", "img", "source"]

    private(set) var elements: [Element] = []
    private var open: [Int] = []

    init(_ bytes: [UInt8]) throws {
        let html = String(decoding: bytes, as: UTF8.self)
        for scalar in html.unicodeScalars where scalar.value < 0x20 && scalar != "\n" && scalar != "\t" {
            throw Malformed.character(scalar.value)
        }
        // Scalars, because for browsers a quote with a combining mark is still a quote.
        var rest = Substring.UnicodeScalarView(html.unicodeScalars[...])
        while let scalar = rest.first {
            if scalar == "<" {
                guard let end = Self.tagEnd(rest) else { throw Malformed.tag(String(rest.prefix(80))) }
                try read(tag: rest[..<end].dropFirst())
                rest = rest[end...].dropFirst()
            } else {
                let text = rest.prefix { $0 != "<" }
                let decoded = try Self.decode(text)
                for number in open { elements[number].text += decoded }
                rest = rest[text.endIndex...]
            }
        }
        guard open.isEmpty else { throw Malformed.nesting(elements[open[0]].name) }
    }

    func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

    func element(id: String) -> Element? { elements.first { $0.attributes["id"] == id } }

    /// The elements inside one.
    func within(_ id: String) -> [Element] {
        guard let number = elements.firstIndex(where: { $0.attributes["id"] == id }) else { return [] }
        return elements.filter { $0.ancestors.contains(number) }
    }

    /// Names of elements and attributes in order, which must not depend on any text.
    var structure: [String] { elements.map { "\($0.ancestors.count) \($0.name) \($0.names.joined(separator: " "))" } }

    private static func tagEnd(_ text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView.Index? {
        var isQuoted = false
        return text.indices.first { index in
            if text[index] == "\"" { isQuoted.toggle() }
            return text[index] == ">" && !isQuoted
        }
    }

    private mutating func read(tag: Substring.UnicodeScalarView) throws {
        if tag.first == "!" {
            guard String(tag) == "!doctype html", elements.isEmpty else { throw Malformed.tag(String(tag)) }
        } else if tag.first == "/" {
            guard let last = open.popLast(), elements[last].name == String(tag.dropFirst()) else {
                throw Malformed.nesting(String(tag))
            }
        } else {
            let closesItself = tag.last == "/"
            let element = try Self.element(closesItself ? tag.dropLast() : tag, ancestors: open)
            elements.append(element)
            if !closesItself, !Self.void.contains(element.name) { open.append(elements.count - 1) }
        }
    }

    private static func element(_ tag: Substring.UnicodeScalarView, ancestors: [Int]) throws -> Element {
        let name = tag.prefix { $0 != " " }
        guard !name.isEmpty, name.allSatisfy(isNameScalar) else { throw Malformed.tag(String(tag)) }
        var element = Element(name: String(name), ancestors: ancestors)
        var rest = tag[name.endIndex...]
        while rest.first == " " {
            rest = rest.dropFirst()
            let attribute = rest.prefix { $0 != "=" && $0 != " " }
            guard !attribute.isEmpty, attribute.allSatisfy(isNameScalar), element.attributes[String(attribute)] == nil
            else { throw Malformed.tag(String(tag)) }
            rest = rest[attribute.endIndex...]
            element.names.append(String(attribute))
            element.attributes[String(attribute)] = ""
            guard rest.first == "=" else { continue }
            guard rest.dropFirst().first == "\"" else { throw Malformed.tag(String(tag)) }
            let value = rest.dropFirst(2).prefix { $0 != "\"" }
            element.attributes[String(attribute)] = try decode(value)
            rest = rest[value.endIndex...].dropFirst()
        }
        guard rest.isEmpty else { throw Malformed.tag(String(tag)) }
        return element
    }

    private static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-")
    }

    private static let references: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'", "#13": "\r",
    ]

    private static func decode(_ text: Substring.UnicodeScalarView) throws -> String {
        var decoded = String.UnicodeScalarView()
        var rest = text
        while let scalar = rest.first {
            guard scalar != "<", scalar != ">" else { throw Malformed.reference(String(text)) }
            rest = rest.dropFirst()
            guard scalar == "&" else {
                decoded.append(scalar)
                continue
            }
            let name = rest.prefix { $0 != ";" }
            guard let meant = references[String(name)] else { throw Malformed.reference(String(text)) }
            decoded.append(meant)
            rest = rest[name.endIndex...].dropFirst()
        }
        return String(decoded)
    }
}
