import Foundation
import Testing

@testable import GatewayClient

/// Files of the repository that this package lies in.
enum Repository {
    static var root: URL {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<6 { url.deleteLastPathComponent() }
        return url
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The whole source text of the library.
    static func library() throws -> String {
        let folder = "clients/swift/Sources/GatewayClient"
        return try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
            .filter { $0.hasSuffix(".swift") }.map { try text("\(folder)/\($0)") }.joined()
    }

    static func files(in folder: String, ending: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == ending }.sorted { $0.path < $1.path }
    }
}

/// The schemas and the examples of `docs/openapi.yaml`.
///
/// Each schema is either in lines or one JSON value per line; a test of the server holds the page to that form.
struct OpenAPI: Sendable {
    struct Schema: Sendable {
        var properties: [String: JSONValue] = [:]
        var required: [String] = []
        var enumeration: [String] = []
    }

    let schemas: [String: Schema]
    let examples: [(summary: String, value: JSONValue)]

    /// Read once: the page has six thousand lines.
    static let shared = Result { try OpenAPI() }

    private init() throws {
        let lines = try Repository.text("docs/openapi.yaml").split(separator: "\n").map(String.init)
        let begin = try #require(lines.firstIndex(of: "  schemas:"))
        schemas = try Self.schemas(lines[(begin + 1)...])
        examples = try Self.examples(lines)
    }

    func schema(_ name: String) throws -> Schema {
        try #require(schemas[name], "docs/openapi.yaml has no schema \(name)")
    }

    private static func schemas(_ lines: ArraySlice<String>) throws -> [String: Schema] {
        var found: [String: Schema] = [:]
        var (name, inProperties, inEnumeration) = ("", false, false)
        for line in lines {
            let (indent, text) = (line.prefix { $0 == " " }.count, line.trimmingCharacters(in: .whitespaces))
            if indent == 4 {
                name = String(text.dropLast())
                found[name] = Schema()
            }
            if indent == 6 { (inProperties, inEnumeration) = (text == "properties:", text == "enum:") }
            guard let (key, value) = Self.member(text) else {
                if inEnumeration, text.hasPrefix("- ") { found[name]?.enumeration.append(String(text.dropFirst(2))) }
                continue
            }
            if indent == 6, key == "required" { found[name]?.required = (value?.array ?? []).compactMap(\.string) }
            if indent == 6, key == "properties", case .object(let members) = value { found[name]?.properties = members }
            if indent == 8, inProperties, let value { found[name]?.properties[key] = value }
        }
        return found
    }

    /// `key: value`, with the value as JSON if it is any.
    private static func member(_ text: String) -> (String, JSONValue?)? {
        guard let colon = text.firstIndex(of: ":"), !text.hasPrefix("- ") else { return nil }
        let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        return (String(text[..<colon]), try? JSONDecoder().decode(JSONValue.self, from: Data(value.utf8)))
    }

    private static func examples(_ lines: [String]) throws -> [(summary: String, value: JSONValue)] {
        lines.compactMap { line -> (summary: String, value: JSONValue)? in
            let text = line.trimmingCharacters(in: .whitespaces)
            guard text.hasPrefix("value: {") || text.hasPrefix("example: {"), let (_, value) = member(text) else {
                return nil
            }
            return value.map { (text, $0) }
        }
    }
}
