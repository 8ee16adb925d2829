import Accounts
import Foundation
import HTTPServer
import Hummingbird
import OperatorAccess
import Operators
import Pages
import Sessions

/// Undoing a change of an account.
extension ConsoleDoor {
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
            return try await doing(.undoChange, visit) {
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
}
