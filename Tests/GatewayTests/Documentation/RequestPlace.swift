import Foundation
import JSON

/// An object in the JSON body of an operation, as `docs/openapi.yaml` describes it.
struct RequestPlace: Sendable, CustomStringConvertible {
    let operation: OpenAPIDocument.Operation
    /// Names from the body to the object; `0` is the first item of a list.
    let path: [String]
    /// The name of the schema, where the object has several.
    let alternative: String?
    let schema: JSON
    /// The members that an alternative has.
    let names: Set<String>
    /// The members of the whole body.
    let bodyNames: Set<String>

    var description: String { "\(operation.name) \(pointer) \(alternative ?? "")" }
    var pointer: String { JSONPointer.text(path) }
    var members: [String] { schema["properties"]?.object?.members.map(\.name) ?? [] }
    /// Whether the server refuses other members.
    var isClosed: Bool { schema["additionalProperties"] == false }

    /// Every object of every JSON body.
    static func all(in page: OpenAPIDocument) -> [RequestPlace] {
        page.operations.flatMap { operation -> [RequestPlace] in
            guard let schema = operation.json["requestBody"]?["content"]?["application/json"]?["schema"] else {
                return []
            }
            let walk = Walk(
                operation: operation, check: page.check, bodyNames: Set(memberNames(page.check.resolved(schema))))
            return walk.places(schema, [], nil, nil)
        }
    }

    private struct Walk {
        let operation: OpenAPIDocument.Operation
        let check: SchemaCheck
        let bodyNames: Set<String>

        /// - Parameter names: those of all alternatives; nil for the object's own.
        func places(_ reference: JSON, _ path: [String], _ alternative: String?, _ names: Set<String>?)
            -> [RequestPlace]
        {
            guard let schema = check.resolved(reference) else { return [] }
            if let choices = schema["anyOf"]?.array { return choices.flatMap { self.choice($0, of: choices, path) } }
            if let items = schema["items"] { return places(items, path + ["0"], alternative, nil) }
            guard isObject(schema) else { return [] }
            let own = RequestPlace(
                operation: operation, path: path, alternative: alternative, schema: schema,
                names: names ?? Set(memberNames(schema)), bodyNames: bodyNames)
            let below = (schema["properties"]?.object?.members ?? []).flatMap { member in
                places(member.value, path + [member.name], alternative, nil)
            }
            return [own] + below
        }

        private func choice(_ choice: JSON, of choices: [JSON], _ path: [String]) -> [RequestPlace] {
            let name = choice["$ref"]?.string?.split(separator: "/").last.map(String.init)
            return places(choice, path, name, Set(choices.flatMap { memberNames(check.resolved($0)) }))
        }
    }

    private static func memberNames(_ schema: JSON?) -> [String] {
        schema?["properties"]?.object?.members.map(\.name) ?? []
    }

    private static func isObject(_ schema: JSON) -> Bool {
        schema["properties"] != nil || schema["type"] == "object" || schema["type"]?.array?.contains("object") == true
    }

    // MARK: Requests

    /// A body with this member of the object, and what the server reads before it.
    func body(with member: String) -> JSON {
        // Some flags count only if they are true.
        let isFlag = schema["properties"]?[member]?["type"] == "boolean"
        let leaf = JSON.object(JSONObject([.init(name: member, value: isFlag ? true : "x")]))
        let value = path.reversed().reduce(leaf) { inner, name in
            name == "0" ? [inner] : .object(JSONObject([.init(name: name, value: inner)]))
        }
        var body = value.object ?? [:]
        for (name, sample) in before where body[name] == nil { body[name] = sample }
        return .object(body)
    }

    private var before: [(String, JSON)] {
        var before: [(String, JSON)] = bodyNames.contains("reason") ? [("reason", "a test")] : []
        if operation.name == "POST /admin/api/v1/clients" { before += [("id", "ducks"), ("providers", ["password"])] }
        guard !path.isEmpty else { return before }
        let provider = Self.providers[alternative ?? ""].map(JSON.string) ?? "password"
        return before
            + [("flow", "x"), ("client_id", "app"), ("username", "ann@example.com"), ("provider", provider)]
            .filter { bodyNames.contains($0.0) }
    }

    /// A provider that takes a kind of credential.
    private static let providers = [
        "AppleCredential": "apple", "TokenCredential": "microsoft", "AccessTokenCredential": "amazon",
        "CodeCredential": "google", "AmazonCodeCredential": "amazon", "PasswordCredential": "password",
        "NameCredential": "email_otp",
        "NoCredential": "passkey",
    ]
}
