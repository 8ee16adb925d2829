import Accounts
import Foundation
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators
import Pages
import Sessions

/// Merging two accounts.
extension ConsoleDoor {
    /// `GET …/merge`: `with`, the other account's id or one of its proved addresses; the account of the path survives.
    @Sendable func previewMerge(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.previewChange, request, context) { visit in
            let kept = try Self.pathID(context)
            try await Self.naming(.mergeAccounts) {
                try await services.operators.check(.mergeAccounts, of: [kept], by: visit.actor)
            }
            return show(try await comparison(kept, visit), visit.call)
        }
    }

    /// `POST …/merge`: `with`, `digest`, `reason`.
    @Sendable func merge(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.mergeAccounts, request, context, back: Self.accountPage(context), counts: false) { visit in
            let kept = try Self.pathID(context)
            return try await doing(.mergeAccounts, visit) {
                let absorbed = try visit.id("with")
                let report = try await services.merging.merge(
                    absorbed, into: kept, expecting: visit.fields["digest"] ?? "", because: visit.reason(),
                    by: visit.actor)
                for account in [kept, absorbed] { web.directory.forget(account: account) }
                return Self.done(.merge, kept, change: report.change, visit)
            } again: { problem in
                try await comparison(kept, visit, problem)
            }
        }
    }

    private func comparison(_ kept: UUID, _ visit: ConsoleVisit, _ problem: ConsoleRefusal? = nil) async throws
        -> MergePage
    {
        var problem = problem
        var absorbed: Facts?
        var preview: MergePage.Preview?
        if let typed = visit.fields["with"] {
            do {
                let other = try await services.records.account(named: typed, by: visit.actor)
                absorbed = Facts(try await services.records.dossier(other, by: visit.actor))
                let report = try await services.merging.previewMerge(of: other, into: kept, by: visit.actor)
                preview = .init(report: Facts(report.facts), digest: report.digest ?? "")
            } catch let refusal as AdminRefusal {
                problem = problem ?? Self.refusal(refusal)
            }
        }
        let suggestions =
            absorbed == nil ? try await services.records.suggestions(kept, by: visit.actor).array ?? [] : []
        return MergePage(
            frame: frame(visit, .search, problem),
            kept: Facts(try await services.records.dossier(kept, by: visit.actor)), absorbed: absorbed,
            suggestions: suggestions.map { Facts($0) }, typed: visit.fields["with"] ?? "", preview: preview,
            reason: visit.fields["reason"] ?? "")
    }

    static func accountPage(_ context: GatewayContext) -> String? {
        context.parameters.get("id").map { ConsoleAddress.ofAccount($0) }
    }
}
