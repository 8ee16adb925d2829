import Accounts
import Foundation
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators
import Pages
import Sessions

/// Splitting an account.
extension ConsoleDoor {
    /// `GET …/split`: fields `give_…`, one for each part that moves to the new account.
    @Sendable func previewSplit(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.previewChange, request, context) { visit in
            let id = try Self.pathID(context)
            try await Self.naming(.splitAccount) {
                try await services.operators.check(.splitAccount, of: [id], by: visit.actor)
            }
            return show(try await division(id, visit), visit.call)
        }
    }

    /// `POST …/split`: the same with `reason`.
    @Sendable func split(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.splitAccount, request, context, back: Self.accountPage(context), counts: false) { visit in
            let id = try Self.pathID(context)
            return try await doing(.splitAccount, visit) {
                let report = try await services.merging.split(
                    id, giving: Self.items(Self.given(visit)), dryRun: false, because: visit.reason(), by: visit.actor
                ).report
                web.directory.forget(account: id)
                return Self.done(.split, id, change: report.change, visit)
            } again: { problem in
                try await division(id, visit, problem)
            }
        }
    }

    private func division(_ id: UUID, _ visit: ConsoleVisit, _ problem: ConsoleRefusal? = nil) async throws
        -> SplitPage
    {
        let chosen = Self.given(visit)
        var problem = problem
        var ends: Int?
        if !chosen.isEmpty || visit.fields["show"] != nil {
            do {
                let preview = try await services.merging.split(
                    id, giving: Self.items(chosen), dryRun: true, because: Reason("preview"), by: visit.actor)
                ends = Facts(preview.report.facts).number("ends_sessions")
            } catch let refusal as AdminRefusal {
                problem = problem ?? Self.refusal(refusal)
            }
        }
        return SplitPage(
            frame: frame(visit, .search, problem),
            account: Facts(try await services.records.dossier(id, by: visit.actor)), chosen: chosen,
            endsSessions: ends, reason: visit.fields["reason"] ?? "")
    }

    private static func given(_ visit: ConsoleVisit) -> [AccountPart] {
        visit.fields.names.filter { $0.hasPrefix("give_") }.compactMap { visit.fields[$0].flatMap(AccountPart.init) }
    }

    private static func items(_ parts: [AccountPart]) throws(AdminRefusal) -> SplitItems {
        var sent: JSONObject = ["password": .bool(parts.contains { $0.kind == .password })]
        for kind in AccountPart.Kind.allCases where kind != .password {
            let keys = parts.filter { $0.kind == kind }.map(\.key)
            sent[kind.rawValue] = .array(
                keys.map { .string([.emails, .phones].contains(kind) ? $0.lowercased() : $0) })
        }
        return try SplitItems(sent)
    }
}
