import Admin
import Foundation
import Hummingbird
import JSON
import Sessions

/// Joining, dividing, and taking back.
extension ConsoleDoor {
    /// `GET …/merge`: `with`, the id of the other account or an address that it has confirmed; the account of the path
    /// is the one that stays.
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
            return try await doing(.merge, visit) {
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

    /// `GET …/split`: fields `give_…`, each a part that goes to the new account.
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
            return try await doing(.split, visit) {
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

    /// `GET …/undo`: `change`.
    @Sendable func confirmUndo(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.previewChange, request, context) { visit in
            let id = try Self.pathID(context)
            try await Self.naming(.undoChange) {
                try await services.operators.check(.undoChange, of: [id], by: visit.actor)
            }
            return show(try await undoPage(id, visit), visit.call)
        }
    }

    /// `POST …/undo`: the same with `reason`.
    @Sendable func undo(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.undoChange, request, context, back: Self.accountPage(context), counts: false) { visit in
            let id = try Self.pathID(context)
            return try await doing(.undo, visit) {
                let accounts = try await services.merging.undo(
                    visit.id("change"), because: visit.reason(), by: visit.actor)
                for account in accounts { web.directory.forget(account: account) }
                return Self.done(.undo, id, visit)
            } again: { problem in
                try await undoPage(id, visit, problem)
            }
        }
    }

    private func undoPage(_ id: UUID, _ visit: ConsoleVisit, _ problem: ConsoleRefusal? = nil) async throws -> UndoPage
    {
        let account = Facts(try await services.records.dossier(id, by: visit.actor))
        guard let change = account.list("changes").first(where: { $0.id == visit.fields["change"] }) else {
            throw AdminRefusal.notFound
        }
        return UndoPage(
            frame: frame(visit, .search, problem), account: account, change: change,
            reason: visit.fields["reason"] ?? "")
    }

    static func accountPage(_ context: GatewayContext) -> String? {
        context.parameters.get("id").map { ConsoleAddress.ofAccount($0) }
    }
}
