import Foundation
import JSON
import Yams

/// A file that declares clients, as YAML or JSON.
///
/// A text that begins with `{` is read by the gateway's strict JSON reader, any other as YAML. Aliases count as values.
struct ClientFile {
    let json: JSON
    /// The document of a YAML file, with the line of each value; nil for JSON.
    private let node: Node?

    /// The most values of a file; more than any real one has.
    private static let mostValues = 100_000
    private static let mostBytes = 1_048_576

    /// - Throws: ``Failure`` that names the line.
    init(text: String) throws {
        guard text.utf8.count <= Self.mostBytes else { throw Failure("is larger than 1 MiB.") }
        if text.first(where: { !$0.isWhitespace }) == "{" {
            (json, node) = (try Self.json(text), nil)
            return
        }
        var left = Self.mostValues
        guard let node = try Self.node(text) else { throw Failure("is empty: it needs a list `clients`.") }
        (json, self.node) = (try Self.value(of: node, &left), node)
    }

    /// Reads a file, or standard input for `-`.
    ///
    /// - Throws: ``Failure`` that names the file.
    init(path: String) throws {
        let data =
            path == "-"
            ? try FileHandle.standardInput.readToEnd() ?? Data() : FileManager.default.contents(atPath: path)
        guard let data else { throw Failure("\(path) can't be read: does it exist?") }
        guard let text = String(validating: data, as: UTF8.self) else { throw Failure("\(path) is not UTF-8.") }
        do {
            try self.init(text: text)
        } catch let failure as Failure {
            throw Failure("\(path) \(failure.description)")
        }
    }

    /// The line and column of a value.
    ///
    /// - Parameter pointer: an RFC 6901 pointer; a missing value has the place of its parent.
    func place(of pointer: String) -> String? {
        guard var node else { return nil }
        for part in pointer.split(separator: "/") {
            guard let next = Self.child(node, String(part)) else { break }
            node = next
        }
        return node.mark.map { "line \($0.line), column \($0.column)" }
    }

    private static func child(_ node: Node, _ name: String) -> Node? {
        switch node {
        case .mapping(let mapping): mapping.first { $0.key.string == name }?.value
        case .sequence(let sequence): Int(name).flatMap { sequence.indices.contains($0) ? sequence[$0] : nil }
        case .scalar, .alias: nil
        }
    }

    private static func json(_ text: String) throws -> JSON {
        do throws(JSONError) {
            return try JSON(parsing: text, limits: .provider)
        } catch {
            let line = text.utf8.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
            throw Failure("is no valid JSON: \(error.problem), line \(line).")
        }
    }

    private static func node(_ text: String) throws -> Node? {
        do {
            return try compose(yaml: text)
        } catch let error as YamlError {
            throw Failure("is no valid YAML: \(error)")
        }
    }

    /// - Parameter left: the values that may follow. An alias repeats a value, and nested ones would fill the memory.
    private static func value(of node: Node, _ left: inout Int) throws -> JSON {
        left -= 1
        guard left > 0 else { throw Failure("has too many values, or aliases that repeat them.") }
        switch node {
        case .scalar(let scalar): return Self.value(of: scalar, node)
        case .sequence(let sequence): return .array(try sequence.map { try value(of: $0, &left) })
        case .mapping(let mapping):
            return .object(
                JSONObject(
                    try mapping.map { pair in
                        guard let name = pair.key.string else { throw Failure("has a name that is no text.") }
                        return JSONObject.Member(name: name, value: try value(of: pair.value, &left))
                    }))
        case .alias: throw Failure("has an alias to an unknown value.")
        }
    }

    /// A quoted value is always a text.
    private static func value(of scalar: Node.Scalar, _ node: Node) -> JSON {
        switch node.tag.rawValue {
        case Tag.Name.null.rawValue: .null
        case Tag.Name.bool.rawValue: node.bool.map(JSON.bool) ?? .string(scalar.string)
        case Tag.Name.int.rawValue: node.int.map(JSON.integer) ?? .string(scalar.string)
        case Tag.Name.float.rawValue: node.float.map(JSON.double) ?? .string(scalar.string)
        default: .string(scalar.string)
        }
    }
}

extension ClientFile {
    /// The YAML text of declarations.
    static func yaml(_ declarations: [JSONObject]) throws -> String {
        try serialize(
            node: Node([(Node("clients"), Node(declarations.map { node(.object($0)) }))]), width: -1,
            allowUnicode: true)
    }

    private static func node(_ json: JSON) -> Node {
        switch json {
        case .null: Node("null", Tag(.null))
        case .bool(let value): Node("\(value)", Tag(.bool))
        case .integer(let value): Node("\(value)", Tag(.int))
        case .double(let value): Node("\(value)", Tag(.float))
        // Quoted, because a plain `no` or `12` would be read as another type.
        case .string(let text): Node(text, Tag(.str), isPlain(text) ? .plain : .doubleQuoted)
        case .array(let items): Node(items.map(node), .implicit, items.isEmpty ? .flow : .block)
        case .object(let object): Node(object.members.map { (Node($0.name), node($0.value)) })
        }
    }

    private static func isPlain(_ text: String) -> Bool {
        Resolver.default.resolveTag(of: Node(text)) == .str
    }
}
