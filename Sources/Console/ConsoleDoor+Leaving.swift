import Accounts
import Foundation
import HTTPServer
import Hummingbird
import Operators
import Pages
import Sessions

/// Deletion and export of an account on behalf of its holder.
extension ConsoleDoor {
    /// Runs a deletion or export; nil for any other action.
    func leave(_ action: ConsoleAction, _ id: UUID, _ visit: ConsoleVisit) async throws -> Response? {
        let leaving = services.leaving
        switch action {
        case .deleteAccount:
            let waits = try await leaving.delete(id, now: false, because: visit.reason(), by: visit.actor)
            web.directory.forget(account: id)
            // An immediate deletion removes the account and its page.
            return waits == nil
                ? .seeOther(ConsoleAddress.of("/admin", Site.localesParameter(visit.call.locales)))
                : Self.done(action, id, visit)
        case .cancelDeletion:
            try await leaving.cancelDeletion(of: id, because: visit.reason(), by: visit.actor)
            web.directory.forget(account: id)
            return Self.done(action, id, visit)
        case .exportAccount:
            let file = try SpoolFile()
            try await leaving.export(id, to: file, because: visit.reason(), by: visit.actor)
            return try .export(file, of: id)
        default: return nil
        }
    }
}
