import Foundation
import Telemetry
import Traces

/// `GET /admin/requests`: the slowest requests of the last hour on this server, with where their time went.
struct RequestsPage: ConsolePage {
    static let template = "console_requests"
    static let path = "/admin/requests"
    /// The messages `console.stage.<it>`.
    static let stages = ["gateway", "database", "providers", "hashing"]

    let frame: ConsoleFrame?
    /// The name of this server.
    let server: String
    let requests: [SlowRequests.Entry]
    /// The address of a trace in the viewer; nil without a viewer.
    let trace: @Sendable (SlowRequests.Entry) -> String?

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        [
            "title": writer.message("console.requests.title"),
            "lead": writer.message(
                "console.requests.lead", ["server": server, "count": "\(SlowRequests.perMinute)"]),
            "has_costs": !requests.isEmpty, "costs": requests.map { writer.costs($0, trace: trace($0)) },
        ]
    }
}

extension ConsoleWriter {
    /// A row of the template `console_costs`.
    ///
    /// - Parameter trace: its address in the viewer.
    mutating func costs(_ entry: SlowRequests.Entry, trace: String?) -> [String: Any] {
        let figures = entry.figures
        let stages = zip(
            RequestsPage.stages, [figures.gateway, figures.database, figures.providers, figures.hashing])
        let longest = stages.max { $0.1 < $1.1 }?.0 ?? RequestsPage.stages[0]
        var row: [String: Any] = [
            "request": shown("\(entry.method) \(entry.route)"), "status": "\(entry.status)",
            "reference": shown(entry.reference),
            "search": link(SearchPage.path, [(name: "q", value: entry.reference)]),
            "total": Self.milliseconds(figures.answering), "statements": "\(figures.statements)",
            "mostly": message("console.stage.\(longest)"),
            "stages": stages.map { name, time in
                ["label": message("console.stage.\(name)"), "time": Self.milliseconds(time)]
            },
        ]
        row.set("at", exactTime(RFC3339.text(entry.at)))
        row.set("trace", trace.map { exact($0) })
        return row
    }

    /// `12.3 ms`, on one line.
    private static func milliseconds(_ microseconds: Int) -> String {
        "\(microseconds / 1_000).\(microseconds % 1_000 / 100)\u{A0}ms"
    }
}
