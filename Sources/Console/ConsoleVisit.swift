import Foundation
import HTTPServer
import JSON
import OperatorAccess
import Pages
import Sessions
import SignIn
import Vocabulary

/// An operator's request for a page of the console.
struct ConsoleVisit: Sendable {
    let session: SessionSnapshot
    let actor: AdminActor
    let role: OperatorRole
    let call: WebCall
    let path: String
    /// The fields of the address or the form.
    let fields: FormBody
    let hidden: [HiddenField]

    var account: UUID { session.facts.account }

    /// The operator's name on pages.
    var name: String { session.account.displayName ?? session.account.email ?? session.account.id.text }

    /// The page with the form of this request.
    var question: String {
        let own = [FormTokens.field, "reason", "digest", "ui_locales"]
        return ConsoleAddress.of(path, fields.fields.filter { !own.contains($0.name) && !$0.value.isEmpty })
    }

    func mayDo(_ action: AdminAction) -> Bool { role >= action.least }

    /// The typed reason.
    ///
    /// - Throws: an error with its own text for an invalid reason.
    func reason() throws -> Reason {
        do throws(AdminRefusal) {
            return try Reason(fields["reason"])
        } catch {
            guard case .invalidMember(_, let word, _) = error else { throw error }
            throw ConsoleRefusal(code: Self.reasonPrefix + word)
        }
    }

    private static let reasonPrefix = "reason_"

    /// The refusal of a typed reason, in the words of the admin API; nil for another refusal.
    static func wrongReason(_ refusal: ConsoleRefusal) -> Problem.Item? {
        guard refusal.code.hasPrefix(reasonPrefix) else { return nil }
        return .invalid("/reason", String(refusal.code.dropFirst(reasonPrefix.count)))
    }

    /// An id in the address or the form.
    func id(_ name: String) throws(AdminRefusal) -> UUID {
        guard let id = fields[name].flatMap({ UUID(uuidString: $0) }) else {
            throw .invalidMember(pointer: "/\(name)", reason: "must_be_id")
        }
        return id
    }
}
