import JSON

/// Reads the part of YAML that `docs/openapi.yaml` uses, and refuses the rest.
///
/// Two spaces per level; `key: value` and `- item`, one per line; texts plain or as JSON strings; a JSON value on one
/// line. Every YAML reader understands this part in the same way.
struct PlainYAML {
    struct Failure: Error, Equatable, CustomStringConvertible {
        let line: Int
        let reason: String
        var description: String { "line \(line): \(reason)" }
    }

    private struct Line {
        let number: Int
        let indent: Int
        let text: String
    }

    private var lines: [Line]
    private var next = 0

    static func parse(_ text: String) throws -> JSON {
        var reader = try PlainYAML(text)
        let value = try reader.block(0)
        if let line = reader.current {
            throw Failure(line: line.number, reason: "is indented otherwise than what is around it")
        }
        return value
    }

    private init(_ text: String) throws(Failure) {
        lines = []
        for (index, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = raw.drop { $0 == " " }
            if content.isEmpty || content.hasPrefix("#") { continue }
            let indent = raw.count - content.count
            guard indent.isMultiple(of: 2), !raw.contains("\t"), raw.last != " " else {
                throw Failure(line: index + 1, reason: "has a tab, an odd indent or a blank at its end")
            }
            lines.append(Line(number: index + 1, indent: indent, text: String(content)))
        }
    }

    private var current: Line? { next < lines.count ? lines[next] : nil }

    private mutating func block(_ indent: Int) throws -> JSON {
        guard let line = current, line.indent == indent else {
            throw Failure(line: current?.number ?? 0, reason: "expected something at \(indent) spaces")
        }
        return line.text.hasPrefix("- ") ? try sequence(indent) : try mapping(indent)
    }

    private mutating func mapping(_ indent: Int) throws -> JSON {
        var object = JSONObject()
        while let line = current, line.indent == indent, !line.text.hasPrefix("- ") {
            let (key, rest) = try Self.split(line)
            guard object[key] == nil else { throw Failure(line: line.number, reason: "\(key) stands here twice") }
            next += 1
            object[key] = rest.isEmpty ? try block(indent + 2) : try Self.scalar(rest, line.number)
        }
        return .object(object)
    }

    private mutating func sequence(_ indent: Int) throws -> JSON {
        var items: [JSON] = []
        while let line = current, line.indent == indent, line.text.hasPrefix("- ") {
            let rest = String(line.text.dropFirst(2))
            if !rest.hasPrefix("{"), !rest.hasPrefix("\""), !rest.hasPrefix("["),
                (try? Self.split(rest, line.number)) != nil
            {
                lines[next] = Line(number: line.number, indent: indent + 2, text: rest)
                items.append(try mapping(indent + 2))
            } else {
                next += 1
                items.append(try Self.scalar(rest, line.number))
            }
        }
        return .array(items)
    }

    private static func split(_ line: Line) throws -> (key: String, rest: String) { try split(line.text, line.number) }

    private static func split(_ text: String, _ number: Int) throws -> (key: String, rest: String) {
        let end =
            text.hasPrefix("\"")
            ? text.dropFirst().firstIndex(of: "\"").map { text.index(after: $0) } : text.firstIndex(of: ":")
        guard let end, end < text.endIndex, text[end] == ":" else { throw Failure(line: number, reason: "has no key") }
        let rest = text[text.index(after: end)...]
        guard rest.isEmpty || rest.hasPrefix(" ") else {
            throw Failure(line: number, reason: "has no blank behind its key")
        }
        let key =
            text.hasPrefix("\"")
            ? String(text[text.index(after: text.startIndex)..<end].dropLast()) : String(text[..<end])
        return (key, String(rest.dropFirst()))
    }

    private static func scalar(_ text: String, _ number: Int) throws -> JSON {
        if let first = text.first, "\"[{".contains(first) {
            do { return try JSON(parsing: text) } catch { throw Failure(line: number, reason: "is no JSON value") }
        }
        if text == "true" || text == "false" { return .bool(text == "true") }
        if let integer = Int(text), String(integer) == text { return .integer(integer) }
        let isPlain =
            text.first.map { $0.isLetter || $0.isNumber } == true && !text.contains(": ") && !text.contains(" #")
            && !text.hasSuffix(":")
            && Double(text) == nil && !["null", "yes", "no", "on", "off"].contains(text.lowercased())
        guard isPlain else { throw Failure(line: number, reason: "needs the quotes of JSON") }
        return .string(text)
    }
}
