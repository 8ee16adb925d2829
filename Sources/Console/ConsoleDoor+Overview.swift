import Foundation
import HTTPServer
import Hummingbird
import OperatorAccess
import Operators
import Pages
import Sessions
import Telemetry

/// Statistics of the service.
extension ConsoleDoor {
    /// `GET /admin` and `GET /admin/overview`: `span` is `day`, `week` or `month`.
    @Sendable func overview(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showOverview, request, context) { visit in
            let span = visit.fields["span"].flatMap(Overview.Span.init(rawValue:)) ?? .day
            let table = try await services.overview.table(
                span, by: visit.actor, now: web.directory.now)
            return show(
                OverviewPage(
                    frame: frame(visit, .overview), span: span.rawValue, starts: table.starts.map(RFC3339.text),
                    end: RFC3339.text(table.end), parts: Overview.Measure.allCases.map { Self.part($0, table) }),
                visit.call)
        }
    }

    private static func part(_ measure: Overview.Measure, _ table: Overview.Table) -> OverviewPage.Part {
        var counts: [String: [Int]] = [:]
        for count in table.counts where count.measure == measure {
            let name = measure == .failures ? count.reason ?? "" : count.provider
            counts[name, default: Array(repeating: 0, count: table.starts.count)][count.step] += count.count
        }
        return OverviewPage.Part(
            measure: measure.rawValue, chart: Chart(counts, steps: table.starts.count),
            isByReason: measure == .failures, before: table.before[measure] ?? 0, filters: filters(of: measure))
    }

    private static func filters(of measure: Overview.Measure) -> [(name: String, value: String)] {
        switch measure {
        case .signIns: [(name: "action", value: "signed_in"), (name: "outcome", value: "done")]
        case .newAccounts: [(name: "action", value: "account_created"), (name: "outcome", value: "done")]
        case .failures: [(name: "outcome", value: "refused")]
        }
    }
}
