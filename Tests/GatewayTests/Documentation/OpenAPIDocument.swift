import Foundation
import JSON

/// The content of `docs/openapi.yaml`.
struct OpenAPIDocument {
    struct Operation {
        /// In capitals.
        let method: String
        let path: String
        let json: JSON

        var name: String { "\(method) \(path)" }
    }

    /// Read once, because that takes seconds without optimization.
    static let current = Result { try OpenAPIDocument() }

    static let path = "docs/openapi.yaml"
    /// The described routes: HEAD has one line for all of GET.
    private static let described = ["get", "put", "post", "delete", "patch"]

    let json: JSON
    /// `/v1/session` and so on, with their methods in capitals.
    let methods: [String: Set<String>]
    let operations: [Operation]
    var check: SchemaCheck { SchemaCheck(document: json) }

    private init() throws {
        json = try PlainYAML.parse(try Pages.text(Self.path))
        methods = Dictionary(
            uniqueKeysWithValues: (json["paths"]?.object?.members ?? []).map { path in
                (path.name, Set((Self.described + ["head"]).filter { path.value[$0] != nil }.map { $0.uppercased() }))
            })
        operations = (json["paths"]?.object?.members ?? []).flatMap { path in
            Self.described.compactMap { method in
                path.value[method].map { Operation(method: method.uppercased(), path: path.name, json: $0) }
            }
        }
    }

    /// The operation that takes a request; a query does not matter.
    func operation(_ method: String, _ path: String) -> Operation? {
        let parts = path.prefix { $0 != "?" }.split(separator: "/")
        return operations.first { operation in
            let template = operation.path.split(separator: "/")
            return operation.method == method && template.count == parts.count
                && zip(template, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
    }

    func codes(ofGroup name: String) -> [String] {
        (json["x-code-groups"]?[name]?.array ?? []).compactMap(\.string)
    }

    /// The possible codes of an operation, in addition to those of every call.
    func codes(of operation: Operation) -> [String] {
        let groups = (operation.json["x-code-groups"]?.array ?? []).compactMap(\.string)
        return groups.flatMap(codes(ofGroup:)) + (operation.json["x-codes"]?.array ?? []).compactMap(\.string)
    }

    /// The codes that an operation reports in another form, as a page or in OAuth's form.
    func spokenCodes(of operation: Operation) -> [String] {
        ["x-page-codes", "x-oauth-codes"].flatMap { (operation.json[$0]?.array ?? []).compactMap(\.string) }
    }

    /// The documented answers by status, with resolved references, without `default`.
    func responses(of operation: Operation) -> [Int: JSON] {
        var found: [Int: JSON] = [:]
        for member in operation.json["responses"]?.object?.members ?? [] {
            if let status = Int(member.name) { found[status] = check.resolved(member.value) }
        }
        return found
    }

    // MARK: Comparing with a server

    /// Every difference between an answer and the page.
    func complaints(about answer: TestAnswer, to request: TestRequest) -> [String] {
        guard let operation = operation(request.method, request.path) else {
            return ["\(request.method) \(request.path) is not documented"]
        }
        let known = responses(of: operation)[answer.status]
        guard let response = known ?? operation.json["responses"]?["default"].flatMap(check.resolved) else {
            return ["\(operation.name): \(answer.status) is not documented"]
        }
        let found = headers(answer, response) + body(answer, response) + code(answer, operation, isListed: known != nil)
        return found.map { "\(operation.name) \(answer.status)\($0)" }
    }

    private func headers(_ answer: TestAnswer, _ response: JSON) -> [String] {
        (response["headers"]?.object?.members ?? []).flatMap { member -> [String] in
            guard let header = check.resolved(member.value), let schema = header["schema"] else {
                return [" \(member.name): leads nowhere"]
            }
            guard let text = answer.header(member.name) else {
                return header["required"] == true ? [" \(member.name): is missing"] : []
            }
            let value = schema["type"] == "integer" ? Int(text).map(JSON.integer) ?? .string(text) : .string(text)
            return check.complaints(value, schema, at: " \(member.name)")
        }
    }

    private func body(_ answer: TestAnswer, _ response: JSON) -> [String] {
        guard let content = response["content"]?.object else {
            return answer.body.isEmpty ? [] : [": a body where none is documented"]
        }
        let type = (answer.header("Content-Type") ?? "").prefix { $0 != ";" }
        guard let schema = content[String(type)]?["schema"] else {
            return [": the content type \(type) is not documented"]
        }
        if schema == ["type": "string"] { return [] }
        guard let json = try? JSON(parsing: answer.body) else { return [": the body is no JSON"] }
        return check.complaints(json, schema)
    }

    private func code(_ answer: TestAnswer, _ operation: Operation, isListed: Bool) -> [String] {
        guard answer.header("Content-Type") == "application/problem+json", let json = try? JSON(parsing: answer.body),
            let code = json["code"]?.string
        else { return [] }
        let anywhere = codes(ofGroup: "anywhere")
        let allowed = isListed ? codes(of: operation) + anywhere : anywhere
        return allowed.contains(code) ? [] : [": the code \(code) is not documented here"]
    }
}
