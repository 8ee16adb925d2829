package import Foundation
package import OperatorAccess
import Postgres

/// The service's history: sign-ins, new accounts and failures over time, by provider and reason.
package struct Overview: Sendable {
    private let desk: AdminDesk

    package init(desk: AdminDesk) {
        self.desk = desk
    }

    /// The counted measures.
    package enum Measure: String, Sendable, CaseIterable {
        case signIns = "sign_ins"
        case newAccounts = "new_accounts"
        case failures
    }

    /// The width and number of steps.
    package enum Span: String, Sendable, CaseIterable {
        case day
        case week
        case month

        /// In hours.
        var step: Int {
            switch self {
            case .day: 1
            case .week: 6
            case .month: 24
            }
        }

        var steps: Int {
            switch self {
            case .day: 24
            case .week: 28
            case .month: 30
            }
        }
    }

    /// One count: the number of a measure within a step, by provider and, for failures, reason.
    package struct Count: Sendable, Equatable {
        package let measure: Measure
        package let step: Int
        package let provider: String
        package let reason: String?
        package let count: Int
    }

    /// The steps, oldest first, and their counts.
    package struct Table: Sendable, Equatable {
        /// The start of each step.
        package let starts: [Date]
        package let counts: [Count]
        /// The end of the last step.
        package let end: Date
        /// The totals of the period before, of the same length.
        package let before: [Measure: Int]
    }

    package func table(_ span: Span, by actor: AdminActor, now: Date) async throws -> Table {
        let width = Double(span.step * 3_600)
        let end = (now.timeIntervalSince1970 / width).rounded(.down) * width + width
        let starts = (0..<span.steps).map { Date(timeIntervalSince1970: end - width * Double(span.steps - $0)) }
        let over = Date(timeIntervalSince1970: end)
        guard let first = starts.first else { return Table(starts: [], counts: [], end: over, before: [:]) }
        let earlier = first.addingTimeInterval(-width * Double(span.steps))
        let counts = try await desk.look(.showOverview, actor) { connection in
            try connection.query(
                """
                select case when outcome = 'refused' then 'failures' when action = 'account_created' then 'new_accounts' else 'sign_ins' end,
                       floor(extract(epoch from hour - \(first)) / \(width))::integer,
                       provider, case when outcome = 'refused' then nullif(reason, '') end, sum(count)::bigint
                  from counted_events(\(earlier))
                 where action in ('sign_in', 'continue_sign_in', 'signed_in', 'account_created', 'first_factor_proved')
                   and (outcome = 'done' and action <> 'first_factor_proved' or outcome = 'refused')
                 group by 1, 2, 3, 4
                """
            ).compactMap(Self.count)
        }
        let before = counts.filter { (-span.steps..<0).contains($0.step) }
        return Table(
            starts: starts, counts: counts.filter { starts.indices.contains($0.step) }, end: over,
            before: Dictionary(before.map { ($0.measure, $0.count) }, uniquingKeysWith: +))
    }

    private static func count(_ row: Row) throws -> Count? {
        guard let measure = Measure(rawValue: try row.value(0)) else { return nil }
        return Count(
            measure: measure, step: Int(try row.value(1, as: Int32.self)), provider: try row.value(2),
            reason: try row.value(3), count: try row.value(4))
    }
}
