import Foundation
import JSON
import Testing

@testable import Gateway

@Suite("The metrics in the files for operators")
struct MetricNameTests {
    /// The exported names, from the declarations in the sources, as ``MetricsRegistry`` completes them.
    private static let exported = Result {
        let declaration =
            #/(Counter|Gauge|Timer|registry\.counter|registry\.gauge|registry\.histogram)\(\s*(?:label: )?"([a-z_]+)"/#
        let text = try Pages.swiftFiles("Sources").map(Pages.text).joined()
        return text.matches(of: declaration).reduce(into: Set([CredentialWatch.metric])) { names, match in
            let (kind, name) = (String(match.output.1), String(match.output.2))
            switch kind {
            case "Counter", "registry.counter": names.insert(name.hasSuffix("_total") ? name : name + "_total")
            case "Gauge", "registry.gauge": names.insert(name)
            default: names.formUnion(["_bucket", "_sum", "_count"].map { name + "_seconds" + $0 })
            }
        }
    }

    /// The functions and keywords of PromQL that the files use.
    private static let language: Set = [
        "abs", "absent", "and", "by", "histogram_quantile", "increase", "max", "min", "or", "rate", "sum", "topk",
    ]

    /// The names in an expression, without labels and texts.
    private static func names(in expression: String) -> [String] {
        let bare = expression.replacing(#/\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)|"[^"]*"/#, with: " ")
        return bare.matches(of: #/[a-z][a-z_]*/#).map { String($0.output) }.filter { !language.contains($0) }
    }

    private static func expressions(in file: String) throws -> [String] {
        let text = try Pages.text(file)
        guard file.hasSuffix(".json") else {
            return text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { $0.hasPrefix("expr: ") }.map { String($0.dropFirst("expr: ".count)) }
        }
        let panels = try JSON(parsing: text)["panels"]?.array ?? []
        return panels.flatMap { $0["targets"]?.array ?? [] }.compactMap { $0["expr"]?.string }
    }

    @Test(
        "alert rules and dashboard name only metrics that the gateway exports",
        arguments: ["deploy/prometheus/alerts.yml", "deploy/grafana/dashboard.json"])
    func files(file: String) throws {
        let exported = try Self.exported.get()
        #expect(exported.count > 30)
        let expressions = try Self.expressions(in: file)
        #expect(expressions.count > 10)
        for expression in expressions {
            let names = Self.names(in: expression)
            #expect(!names.isEmpty && names.filter { !exported.contains($0) } == [], "\(expression)")
        }
    }

    @Test("docs/operations.md has every exported metric")
    func documented() throws {
        let page = try Pages.text("docs/operations.md")
        let families = Set(try Self.exported.get().map { $0.replacing(#/_(bucket|sum|count)$/#, with: "") })
        #expect(families.filter { !page.contains("`\($0)`") } == [])
    }
}
