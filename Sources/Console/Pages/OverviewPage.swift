import Pages

/// `GET /admin`, the first page of the console: sign-ins, new accounts and failures over time.
struct OverviewPage: ConsolePage {
    static let template = "console_overview"
    static let path = "/admin/overview"
    static let spans = ["day", "week", "month"]

    /// One of the charts.
    struct Part: Sendable {
        /// The message `console.measure.<it>`.
        let measure: String
        let chart: Chart
        /// Whether it is stacked by reason instead of by provider.
        let isByReason: Bool
        /// The total of the period before.
        let before: Int
        /// The rows of the audit log that it counts.
        let filters: [(name: String, value: String)]
    }

    static let measures = ["sign_ins", "new_accounts", "failures"]

    let frame: ConsoleFrame?
    let span: String
    /// The start of each step, as RFC 3339, and the end of the last.
    let starts: [String]
    let end: String
    let parts: [Part]

    func values(_ writer: inout ConsoleWriter) -> [String: Any] {
        [
            "title": writer.message("console.nav.overview"), "typed": "",
            "requests": writer.link(RequestsPage.path),
            "spans": Self.spans.map { span in
                [
                    "label": writer.message("console.span.\(span)"), "is_current": span == self.span,
                    "address": writer.link(Self.path, [(name: "span", value: span)]),
                ] as [String: Any]
            },
            "parts": parts.map { values(of: $0, &writer) },
        ]
    }

    private func values(of part: Part, _ writer: inout ConsoleWriter) -> [String: Any] {
        let chart = part.chart
        let heading = writer.message("console.measure.\(part.measure)")
        let total = chart.series.reduce(0) { $0 + $1.total }
        return [
            "measure": part.measure, "heading": heading, "total": "\(total)",
            "before": writer.message("console.overview.before", ["count": "\(part.before)"]),
            "change": change(from: part.before, to: total, &writer) ?? false, "has_bars": !chart.bars.isEmpty,
            "width": "\(Chart.width)", "plot_width": "\(Chart.width - Chart.left)", "height": "\(Chart.height)",
            "left": "\(Chart.left)",
            "description": writer.message("console.overview.description", ["count": "\(total)"]),
            "lines": chart.ticks.map { ["y": "\(chart.y(of: $0))", "count": "\($0)"] },
            "labels": labels(chart, &writer),
            "bars": chart.bars.map { bar($0, of: part, heading, &writer) },
            "series": chart.series.enumerated().map { number, series in
                ["number": "\(number)", "series_name": name(series, part, &writer), "total": "\(series.total)"]
            },
            "rows": chart.bars.map { row($0, chart, &writer) },
        ]
    }

    /// The change in per cent; nil without a period to compare with.
    private func change(from before: Int, to total: Int, _ writer: inout ConsoleWriter) -> String? {
        guard before > 0 else { return nil }
        let percent = Int((Double(abs(total - before)) / Double(before) * 100).rounded())
        guard percent > 0 else { return writer.message("console.overview.same") }
        return writer.message("console.overview.\(total > before ? "more" : "fewer")", ["percent": "\(percent)"])
    }

    /// The number of labels that don't overlap.
    private func labels(_ chart: Chart, _ writer: inout ConsoleWriter) -> [[String: Any]] {
        let every = span == "month" ? 5 : 4
        return starts.indices.filter { $0 % every == 0 }.map { step in
            ["x": "\(chart.x(of: step))", "label": writer.shown(label(starts[step]))]
        }
    }

    /// The hour for a day, else the day of the month: `2026-11-22T05:00:00Z`.
    private func label(_ start: String) -> String {
        span == "day" ? String(start.dropFirst(11).prefix(5)) : String(start.dropFirst(5).prefix(5))
    }

    private func bar(_ bar: Chart.Bar, of part: Part, _ heading: String, _ writer: inout ConsoleWriter)
        -> [String: Any]
    {
        let begin = starts[bar.step]
        let end = bar.step + 1 < starts.count ? starts[bar.step + 1] : end
        let time = [(name: "from", value: begin), (name: "to", value: end)]
        return [
            "address": writer.link(AuditLogPage.path, part.filters + time),
            "told": "\(heading): \(bar.total), \(writer.shown(writer.words.moment(begin)))",
            "hit": "\(bar.x - Chart.gap / 2)", "room": "\(Chart.room(of: part.chart.steps))",
            "ceiling": "\(Chart.ceiling)", "full": "\(Chart.floor - Chart.ceiling)",
            "pieces": bar.pieces.map { piece in
                [
                    "x": "\(bar.x)", "width": "\(bar.width)", "y": "\(piece.y)", "height": "\(piece.height)",
                    "number": "\(piece.series)",
                ]
            },
        ]
    }

    private func row(_ bar: Chart.Bar, _ chart: Chart, _ writer: inout ConsoleWriter) -> [String: Any] {
        var row: [String: Any] = [
            "total": "\(bar.total)", "cells": chart.series.map { ["count": "\($0.values[bar.step])"] },
        ]
        row.set("start", writer.time(starts[bar.step]))
        return row
    }

    private func name(_ series: Chart.Series, _ part: Part, _ writer: inout ConsoleWriter) -> String {
        guard let name = series.name else { return writer.message("console.overview.others") }
        if name.isEmpty { return writer.message("console.overview.no_provider") }
        if name == "guest", !part.isByReason { return writer.message("console.overview.guests") }
        return writer.shown(
            part.isByReason ? AuditReasons.refusal(name, writer.words) : writer.providerName(name))
    }
}
