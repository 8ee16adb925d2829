import HTTPTypes
import JSON
import Testing

@testable import HTTPServer

@Suite("docs/openapi.yaml, by itself and against the code")
struct OpenAPITests {
    private let page: OpenAPIDocument

    init() throws {
        page = try OpenAPIDocument.current.get()
    }

    @Test("every route is documented, and every documented route exists")
    func routes() throws {
        let documented = page.operations.map(\.name)
        #expect(documented.count == Set(documented).count)
        #expect(try MountedRoutes.all() == Set(documented))
    }

    @Test("N6: the methods of each path are those that OPTIONS announces")
    func methods() throws {
        let table = RouteTable(try MountedRoutes.router())
        for (path, documented) in page.methods {
            let announced = table.methods(at: path.replacing(#/\{\w+\}/#, with: "x"))
            #expect(documented == Set(announced.map(\.rawValue)), "\(path)")
        }
    }

    @Test("N6: the audit log's file is documented in both its formats")
    func exportFormats() {
        for name in ["POST /admin/api/v1/audit/export", "POST /admin/audit/export"] {
            let operation = page.operations.first { $0.name == name }
            let content = operation?.json["responses"]?["200"]?["content"]?.object?.members.map(\.name)
            #expect(content == ["text/csv", "application/jsonl"], "\(name)")
        }
    }

    @Test("every reference leads somewhere")
    func references() {
        for reference in Self.references(page.json) {
            #expect(page.check.resolved(["$ref": .string(reference)]) != nil, "\(reference)")
        }
    }

    @Test("every part of the components is referred to")
    func components() {
        let references = Set(Self.references(page.json))
        // The example of a code belongs to each operation with the code.
        let kinds = page.json["components"]?.object?.members ?? []
        for kind in kinds where kind.name != "securitySchemes" && kind.name != "examples" {
            for part in kind.value.object?.members ?? [] {
                #expect(references.contains("#/components/\(kind.name)/\(part.name)"))
            }
        }
    }

    @Test("the codes are those of the catalogue, in its order")
    func codes() {
        let items = page.codes(ofGroup: "item")
        let documented = page.json["components"]?["schemas"]?["Code"]?["enum"]?.array?.compactMap(\.string)
        #expect(documented == ErrorCatalogue.all.map(\.code).filter { !items.contains($0) })
        #expect(items.allSatisfy { ErrorCatalogue[$0] != nil })
    }

    @Test("every code belongs to some operation or to all of them")
    func codesAreUsed() {
        let used = Set(
            page.operations.flatMap { page.codes(of: $0) + page.spokenCodes(of: $0) }
                + page.codes(ofGroup: "anywhere") + page.codes(ofGroup: "item"))
        #expect(used == Set(ErrorCatalogue.all.map(\.code)))
    }

    @Test("an operation's statuses are those of its codes")
    func statuses() {
        for operation in page.operations where operation.json["x-page-codes"] == nil {
            let expected = Set(page.codes(of: operation).compactMap { ErrorCatalogue[$0]?.status.code })
            let documented = page.responses(of: operation).filter {
                $0.value["content"]?["application/problem+json"] != nil
            }
            #expect(Set(documented.keys) == expected, "\(operation.name)")
            #expect(
                operation.json["responses"]?["default"] == ["$ref": "#/components/responses/Problem"],
                "\(operation.name)")
        }
    }

    @Test("codes of pages and OAuth answers are in the catalogue, and their statuses documented")
    func spokenCodes() {
        for operation in page.operations {
            let codes = page.spokenCodes(of: operation)
            #expect(codes.allSatisfy { ErrorCatalogue[$0] != nil }, "\(operation.name)")
            #expect(codes.count == Set(codes).count, "\(operation.name)")
            guard operation.json["x-page-codes"] != nil else { continue }
            #expect(
                operation.json["responses"]?["default"] == ["$ref": "#/components/responses/PageRefusal"],
                "\(operation.name)")
        }
    }

    @Test("an operation has a unique name, a summary and a known tag")
    func names() {
        let tags = Set((page.json["tags"]?.array ?? []).compactMap { $0["name"]?.string })
        let ids = page.operations.compactMap { $0.json["operationId"]?.string }
        #expect(Set(ids).count == page.operations.count)
        for operation in page.operations {
            #expect(operation.json["summary"]?.string?.isEmpty == false, "\(operation.name)")
            #expect(
                operation.json["tags"]?.array?.compactMap(\.string).allSatisfy(tags.contains) == true,
                "\(operation.name)")
        }
    }

    @Test("an operation demands a bearer token exactly if it documents the codes of one")
    func security() {
        // With an empty requirement among them, tokens are optional.
        for operation in page.operations where operation.json["security"]?.array?.contains([:]) != true {
            let groups = operation.json["x-code-groups"]?.array ?? []
            let schemes = Set(
                (operation.json["security"]?.array ?? []).flatMap { $0.object?.members.map(\.name) ?? [] })
            #expect(schemes.contains("bearer") == groups.contains("bearer"), "\(operation.name)")
            let isOAuth = schemes.contains("client_basic") || schemes.contains("registration")
            #expect(isOAuth == (operation.json["x-oauth-codes"] != nil), "\(operation.name)")
        }
    }

    @Test("every answer has its request id and cache lifetime")
    func headers() {
        for operation in page.operations {
            for (status, response) in page.responses(of: operation) {
                let names = Set(response["headers"]?.object?.members.map(\.name) ?? [])
                #expect(names.isSuperset(of: ["X-Request-Id", "Cache-Control"]), "\(operation.name) \(status)")
                let isProblem = response["content"]?["application/problem+json"] != nil
                if isProblem, status == 429 || status == 503 {
                    #expect(names.contains("Retry-After"), "\(operation.name) \(status)")
                }
            }
        }
    }

    @Test("every example fits its schema")
    func examples() {
        var seen = 0
        for (place, media) in Self.media(page.json, at: "") {
            guard let schema = media["schema"] else { continue }
            let examples =
                (media["examples"]?.object?.members ?? []).compactMap { $0.value["value"] }
                + [media["example"]].compactMap(\.self)
            for example in examples {
                seen += 1
                #expect(page.check.complaints(example, schema) == [], "\(place)")
            }
        }
        #expect(seen > 30)
    }

    // MARK: Walking the page

    private static func references(_ json: JSON) -> [String] {
        switch json {
        case .object(let object):
            object.members.flatMap { member in
                member.name == "$ref" ? [member.value.string].compactMap(\.self) : references(member.value)
            }
        case .array(let items): items.flatMap(references)
        default: []
        }
    }

    /// Every media type of every `content`, with its position.
    private static func media(_ json: JSON, at place: String) -> [(place: String, media: JSON)] {
        (json.object?.members ?? []).flatMap { member in
            member.name == "content"
                ? (member.value.object?.members ?? []).map { (place, $0.value) }
                : media(member.value, at: "\(place)/\(member.name)")
        }
    }
}

@Suite("The reader of docs/openapi.yaml")
struct OpenAPIReaderTests {
    @Test("the small part of YAML is read")
    func reads() throws {
        let text = """
            # about
            a: 1
            b:
              - x
              - {"y": null}
              - k: v
                "l:m": "n # o"
            """
        #expect(try PlainYAML.parse(text) == ["a": 1, "b": ["x", ["y": nil], ["k": "v", "l:m": "n # o"]]])
    }

    @Test(
        "ambiguous YAML is refused",
        arguments: [
            "a: yes", "a: 1.5", "a: 'b'", "a: b: c", "a: b # c", "a: |\n  b", "a: &b c", "a: *b", "a:\tb", "a: b ",
            " a: b",
            "a: {b: c}", "a: 1\na: 2", "a:\n    b: c", "a: b\n  c: d", "a:b", "a: null", "a: 010", "a: ~",
        ])
    func refuses(text: String) {
        #expect(throws: PlainYAML.Failure.self) { try PlainYAML.parse(text) }
    }

    @Test(
        "a value that does not fit its schema is a complaint",
        arguments: [
            #"[{"a": 1}, {"type": "object", "properties": {"b": {"type": "integer"}}}]"#,
            #"[{"a": 1}, {"required": ["b"]}]"#,
            #"[1, {"type": "string"}]"#,
            #"[null, {"type": ["string", "integer"]}]"#,
            #"["x", {"enum": ["y"]}]"#,
            #"["x", {"const": "y"}]"#,
            #"[[1, "x"], {"items": {"type": "integer"}}]"#,
            #"["01A1FE3A-DA0A-7381-BCF2-B234C60A8642", {"format": "uuid"}]"#,
            #"["2026-11-21", {"format": "date-time"}]"#,
            #"[0, {"minimum": 1}]"#,
            #"["xx", {"maxLength": 1}]"#,
            #"["x", {"minLength": 2}]"#,
            #"["x", {"pattern": "^y"}]"#,
            #"["x", {"oneOf": [{"type": "string"}, {"const": "x"}]}]"#,
            #"["x", {"anyOf": [{"type": "integer"}, {"const": "y"}]}]"#,
            ##"["x", {"$ref": "#/nowhere"}]"##,
            #"[1, {"whatever": 1}]"#,
        ])
    func misfit(pair: String) throws {
        let parts = try #require(try JSON(parsing: pair).array)
        #expect(!SchemaCheck(document: [:]).complaints(parts[0], parts[1]).isEmpty)
    }
}
