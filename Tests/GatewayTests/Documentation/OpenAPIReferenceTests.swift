import HTTPTypes
import JSON
import Testing

@testable import HTTPServer

/// What the API reference shows of each call comes from `docs/openapi.yaml`.
@Suite("docs/openapi.yaml as the source of the API reference")
struct OpenAPIReferenceTests {
    private let page: OpenAPIDocument

    init() throws {
        page = try OpenAPIDocument.current.get()
    }

    /// The operations that answer programs: all but the pages.
    private var calls: [OpenAPIDocument.Operation] { page.operations.filter { $0.json["x-page-codes"] == nil } }

    private var examples: [(name: String, problem: JSON)] {
        (page.json["components"]?["examples"]?.object?.members ?? []).map { ($0.name, $0.value["value"] ?? .null) }
    }

    @Test("every property and every parameter has a description")
    func descriptions() {
        let parts = Self.parts(page.json, at: "")
        #expect(parts.count > 1_200)
        #expect(parts.filter { !isDescribed($0.part) }.map(\.place) == [])
    }

    @Test("every answer of a call with JSON has an example, its refusals too")
    func answers() {
        let named = Set(examples.map(\.name))
        var seen = 0
        for call in calls {
            let codes = page.codes(of: call).filter(named.contains)
            let refused = Set(codes.compactMap { ErrorCatalogue[$0]?.status.code })
            for (status, response) in page.responses(of: call) {
                for media in response["content"]?.object?.members ?? [] where media.name.contains("json") {
                    seen += 1
                    let isShown =
                        media.name == Problem.contentType
                        ? refused.contains(status) : media.value["example"] != nil || media.value["examples"] != nil
                    #expect(isShown, "\(call.name) \(status)")
                }
            }
        }
        #expect(seen > 700)
    }

    @Test("every call with a body has an example of one")
    func requests() {
        for call in calls {
            for media in call.json["requestBody"]?["content"]?.object?.members ?? [] {
                #expect(media.value["example"] != nil || media.value["examples"] != nil, "\(call.name)")
            }
        }
    }

    @Test("each code that a call answers has an example, with the status and the title of the catalogue")
    func refusals() {
        let answered = Set(calls.flatMap(page.codes) + page.codes(ofGroup: "anywhere"))
        #expect(examples.map(\.name) == ErrorCatalogue.all.map(\.code).filter(answered.contains))
        for (name, problem) in examples {
            #expect(problem["code"] == .string(name))
            #expect(problem["type"]?.string?.hasSuffix(ErrorCatalogue.path(of: name)) == true, "\(name)")
            #expect(problem["title"]?.string == ErrorCatalogue[name]?.title, "\(name)")
            let status = ErrorCatalogue[name]?.status.code
            #expect(problem["status"]?.integer == status, "\(name)")
            #expect((problem["retry_after"] != nil) == (status == 429 || status == 503), "\(name)")
            #expect(page.check.complaints(problem, ["$ref": "#/components/schemas/Problem"]) == [], "\(name)")
        }
    }

    // MARK: Walking the page

    /// A part is described by itself, or by the schema that it refers to.
    private func isDescribed(_ part: JSON) -> Bool {
        [part, page.check.resolved(part)].contains { $0?["description"]?.string?.isEmpty == false }
    }

    /// Every property of a schema and every parameter, with its position.
    private static func parts(_ json: JSON, at place: String) -> [(place: String, part: JSON)] {
        switch json {
        case .object(let object):
            let isParameter = object["in"]?.string != nil && object["name"]?.string != nil
            return (isParameter ? [(place, json)] : []) + object.members.flatMap { parts(of: $0, at: place) }
        case .array(let items): return items.enumerated().flatMap { parts($1, at: "\(place)/\($0)") }
        default: return []
        }
    }

    private static func parts(of member: JSONObject.Member, at place: String) -> [(place: String, part: JSON)] {
        let below = "\(place)/\(member.name)"
        switch member.name {
        case "example", "examples": return []
        case "properties":
            let properties = member.value.object?.members ?? []
            return properties.flatMap { property in
                let here = "\(below)/\(property.name)"
                return [(here, property.value)] + parts(property.value, at: here)
            }
        default: return parts(member.value, at: below)
        }
    }
}
