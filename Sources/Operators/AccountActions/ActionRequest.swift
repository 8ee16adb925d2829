package import Accounts
package import Foundation
package import JSON
package import OperatorAccess
package import Vocabulary

/// An action with the account and the arguments that an operator chose.
package struct ActionRequest: Sendable {
    package let action: AccountAction
    package let account: UUID
    let services: AdminServices
    let reason: Reason
    let actor: AdminActor
    private let sent: JSONObject

    /// - Parameter sent: the arguments by their names.
    package init(
        _ action: AccountAction, of account: UUID, _ sent: JSONObject, because reason: Reason, by actor: AdminActor,
        _ services: AdminServices
    ) {
        (self.action, self.account, self.sent, self.services) = (action, account, sent, services)
        (self.reason, self.actor) = (reason, actor)
    }

    package func perform() async throws -> ActionOutcome { try await action.perform(self) }

    /// All accounts that it changes.
    package var accounts: [UUID] {
        [account] + action.arguments.filter { $0.kind == .otherAccount }.compactMap { try? id($0.name) }
    }

    func id(_ name: String) throws(AdminRefusal) -> UUID {
        guard let id = try optionalID(name) else { throw .invalidMember(pointer: "/\(name)", reason: "required") }
        return id
    }

    func optionalID(_ name: String) throws(AdminRefusal) -> UUID? {
        guard let value = sent[name], !value.isNull else { return nil }
        guard let id = value.string.flatMap({ UUID(uuidString: $0) }) else {
            throw .invalidMember(pointer: "/\(name)", reason: "must_be_id")
        }
        return id
    }

    func text(_ name: String, most: Int = 255) throws(AdminRefusal) -> String {
        do {
            return try sent.requiredText(name, most: most)
        } catch {
            throw .invalidMember(pointer: error.pointer, reason: error.reason == .tooLong ? "too_long" : "required")
        }
    }

    func flag(_ name: String, default: Bool = false) throws(AdminRefusal) -> Bool {
        guard let value = sent[name], !value.isNull else { return `default` }
        guard let flag = value.bool else { throw .invalidMember(pointer: "/\(name)", reason: "must_be_boolean") }
        return flag
    }
}

/// The outcome of an action on an account.
package enum ActionOutcome: Sendable {
    /// `report`: what the command line states about the account. `from`: when it begins, if later.
    case done(report: String, from: Date? = nil)
    /// The id of a change that can be undone, and what the command line states.
    case changed(UUID, report: String)
    /// Nil if the account is deleted already.
    case deletion(AccountDeletion?)
    case exported(SpoolFile)
}
