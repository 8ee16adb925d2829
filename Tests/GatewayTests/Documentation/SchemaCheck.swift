import Foundation
import JSON

/// Compares values with the JSON Schemas of a document.
///
/// It is stricter than the standard. A member outside the schema is an error unless `additionalProperties` allows it. An
/// unknown keyword is an error, so that no unchecked rule looks checked.
struct SchemaCheck {
    /// The document of `$ref`.
    let document: JSON

    private static let silent: Set<String> = ["description", "default"]

    func complaints(_ value: JSON, _ schema: JSON, at place: String = "") -> [String] {
        guard let keywords = schema.object else { return ["\(place): the schema is no object"] }
        return keywords.members.flatMap { keyword in
            complaints(value, keyword.name, keyword.value, in: schema, at: place)
        }
    }

    /// The target of a reference; any other schema unchanged.
    func resolved(_ json: JSON) -> JSON? {
        guard let reference = json["$ref"]?.string else { return json }
        guard reference.hasPrefix("#/") else { return nil }
        return reference.dropFirst(2).split(separator: "/").reduce(document as JSON?) { found, part in
            found?[part.replacingOccurrences(of: "~1", with: "/").replacingOccurrences(of: "~0", with: "~")]
        }
    }

    private func complaints(_ value: JSON, _ keyword: String, _ operand: JSON, in schema: JSON, at place: String)
        -> [String]
    {
        switch keyword {
        case "$ref":
            resolved(schema).map { complaints(value, $0, at: place) } ?? ["\(place): the reference leads nowhere"]
        case "oneOf":
            fits(value, operand, at: place).count == 1
                ? [] : ["\(place): fits \(fits(value, operand, at: place).count) of oneOf"]
        case "anyOf": fits(value, operand, at: place).isEmpty ? ["\(place): fits none of anyOf"] : []
        case "const": value == operand ? [] : ["\(place): is not \(operand.text)"]
        case "enum": operand.array?.contains(value) == true ? [] : ["\(place): is none of \(operand.text)"]
        case "type": types(operand).contains { isOfType(value, $0) } ? [] : ["\(place): is no \(operand.text)"]
        case "required":
            (operand.array ?? []).compactMap(\.string).filter { value.object != nil && value[$0] == nil }.map {
                "\(place)/\($0): is missing"
            }
        case "properties": members(value, operand, schema, at: place)
        case "items": (value.array ?? []).enumerated().flatMap { complaints($1, operand, at: "\(place)/\($0)") }
        case "additionalProperties": others(value, operand, schema, at: place)
        case "format", "pattern", "minimum", "minLength", "maxLength": shape(value, keyword, operand, at: place)
        default: Self.silent.contains(keyword) ? [] : ["\(place): the keyword \(keyword) is not understood"]
        }
    }

    private func fits(_ value: JSON, _ schemas: JSON, at place: String) -> [JSON] {
        (schemas.array ?? []).filter { complaints(value, $0, at: place).isEmpty }
    }

    private func members(_ value: JSON, _ properties: JSON, _ schema: JSON, at place: String) -> [String] {
        (value.object?.members ?? []).flatMap { member -> [String] in
            if let known = properties[member.name] {
                return complaints(member.value, known, at: "\(place)/\(member.name)")
            }
            let isAllowed = schema["additionalProperties"].map { $0 != false } ?? false
            return isAllowed ? [] : ["\(place)/\(member.name): is not documented"]
        }
    }

    /// The members without a schema of their own.
    private func others(_ value: JSON, _ operand: JSON, _ schema: JSON, at place: String) -> [String] {
        guard operand.object != nil else { return [] }
        return (value.object?.members ?? []).filter { schema["properties"]?[$0.name] == nil }.flatMap {
            complaints($0.value, operand, at: "\(place)/\($0.name)")
        }
    }

    private func types(_ operand: JSON) -> [String] {
        operand.string.map { [$0] } ?? (operand.array ?? []).compactMap(\.string)
    }

    private func isOfType(_ value: JSON, _ type: String) -> Bool {
        switch (value, type) {
        case (.null, "null"), (.bool, "boolean"), (.integer, "integer"), (.integer, "number"), (.double, "number"),
            (.string, "string"),
            (.array, "array"), (.object, "object"):
            true
        default: false
        }
    }

    private func shape(_ value: JSON, _ keyword: String, _ operand: JSON, at place: String) -> [String] {
        let isWell =
            switch (keyword, value) {
            case ("format", .string(let text)): isFormatted(text, operand.string ?? "")
            case ("pattern", .string(let text)): matches(text, operand.string ?? "")
            case ("minimum", .integer(let number)): operand.integer.map { number >= $0 } ?? false
            case ("minLength", .string(let text)): operand.integer.map { text.count >= $0 } ?? false
            case ("maxLength", .string(let text)): operand.integer.map { text.count <= $0 } ?? false
            default: true
            }
        return isWell ? [] : ["\(place): \(keyword) \(operand.text) does not hold"]
    }

    private func isFormatted(_ text: String, _ format: String) -> Bool {
        switch format {
        case "uuid": matches(text, "^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")
        case "date-time": matches(text, "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")
        default: false
        }
    }

    private func matches(_ text: String, _ pattern: String) -> Bool {
        text.range(of: pattern, options: .regularExpression) != nil
    }
}
