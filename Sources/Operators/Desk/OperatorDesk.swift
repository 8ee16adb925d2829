import Accounts
package import Foundation
import JSON
package import OperatorAccess
import Postgres

/// Lists operators and changes their roles.
package struct OperatorDesk: Sendable {
    private let desk: AdminDesk
    /// Whether a second owner must confirm a new one.
    private let confirmsOwners: Bool

    package init(desk: AdminDesk, confirmsOwners: Bool = false) {
        (self.desk, self.confirmsOwners) = (desk, confirmsOwners)
    }

    /// An operator in the list.
    package struct Entry: Sendable, Equatable {
        package let account: UUID
        package let role: OperatorRole
        package let displayName: String?
        package let email: String?
        package let grantedBy: UUID?
        package let grantedByName: String?
        package let grantedAt: Date
    }

    package func list(by actor: AdminActor) async throws -> [Entry] {
        try await desk.look(.showOperators, actor) { connection in
            let rows = try connection.query(
                """
                select o.account_id, o.role, a.display_name, e.address, o.granted_by, o.granted_at
                  from operators o join accounts a on a.id = o.account_id
                  left join account_emails e on e.account_id = a.id and e.is_main
                 order by operator_rank(o.role) desc, o.granted_at, o.account_id
                """)
            let names = try AccountNames.read(
                Set(rows.compactMap { try $0.value(4, as: UUID?.self) }), connection)
            return try rows.map { row in
                let grantor: UUID? = try row.value(4)
                return Entry(
                    account: try row.value(0), role: OperatorRole(rawValue: try row.value(1)) ?? .viewer,
                    displayName: try row.value(2), email: try row.value(3), grantedBy: grantor,
                    grantedByName: grantor.flatMap { names[$0] }, grantedAt: try row.value(5))
            }
        }
    }

    /// The role of the caller; refuses callers without one, or without a second factor.
    package func role(of actor: AdminActor) async throws -> OperatorRole {
        try await desk.look(.showRole, actor) { connection in
            guard let id = actor.id else { return .owner }
            let role: String? = try connection.queryOne(
                """
                select role from operators where account_id = \(id)
                union all
                select role from access_keys where actor_id = \(id)
                """)?.value(0)
            guard let role = role.flatMap(OperatorRole.init(rawValue:)) else { throw AdminRefusal.notAnOperator }
            return role
        }
    }

    /// Checks whether a change of these accounts would be refused, so that a page can say so before anything is typed.
    package func check(_ action: AdminAction, of accounts: [UUID], by actor: AdminActor) async throws {
        try await desk.check(action, actor, of: accounts)
    }

    /// A sign-in method with its age.
    package struct SignInMethod: Sendable, Equatable {
        /// `identity`, `password`, `email`, `phone`, `totp`, `sms`, `passkey`, `device`.
        package let kind: String
        /// Its name among methods of the same kind; nil for a password.
        package let name: String?
        /// Since when it is in this account, RFC 3339: a moved method has the time of its move.
        package let since: String
        /// Its origin, if known: `operator`, `beside_operator`, `own_merge`, `person`, `import`, a linking rule, or the
        /// provider that reported an address.
        package let origin: String?
    }

    /// All sign-in methods of an account, newest first: the basis of a role.
    package func methods(of account: UUID, by actor: AdminActor) async throws -> [SignInMethod] {
        try await desk.view(.showAccount, actor, { _ in [.account(account)] }) { connection in
            let row = try connection.queryOne(
                "select sign_in_methods(id)::text from accounts where id = \(account) and status <> 'closed'")
            return try (AdminDesk.document(row?.value(0)).array ?? []).map { method in
                SignInMethod(
                    kind: method["kind"]?.string ?? "", name: method["name"]?.string,
                    since: method["since"]?.string ?? "", origin: method["by"]?.string)
            }
        }
    }

    /// The time limit for the confirmation by a second owner, in seconds.
    private static let confirmationSeconds: Int32 = 86_400

    /// The result of a grant.
    package enum Grant: Sendable, Equatable {
        case granted
        /// A second owner must grant the same role within a day.
        case waitsForOwner
    }

    /// Makes an account an operator, or changes its role; its sessions and flows end.
    ///
    /// - Parameter force: accept an account without a second factor, or with a recent operator's change. Only for the
    ///   command line.
    /// - Throws: `roleNeedsFactor`, `changeNotSettled` and the refusals of every change.
    @discardableResult
    package func grant(
        _ role: OperatorRole, to account: UUID, because reason: Reason, by actor: AdminActor, force: Bool = false
    ) async throws -> Grant {
        let confirmation = confirmsOwners ? Self.confirmationSeconds : nil
        return try await desk.change(.changeRole, actor, of: [account], because: reason) { connection in
            let row = try connection.row(
                """
                select grant_role(\(account), \(role.rawValue), \(actor.id), \(actor.address), \(actor.requestID), \(confirmation), \(force))
                """)
            return switch try row.optionalOperatorAnswer(as: GrantWord.self) {
            case nil: .granted
            case .secondOwnerNeeded: .waitsForOwner
            }
        }
    }

    package func withdraw(from account: UUID, because reason: Reason, by actor: AdminActor) async throws {
        try await desk.change(.changeRole, actor, of: [account], because: reason) { connection in
            let row = try connection.row(
                "select withdraw_role(\(account), \(actor.address), \(actor.requestID))")
            try row.throwRefusal()
        }
    }
}

/// The missing conditions of a grant (`grant_role`); null if the role is granted.
enum GrantWord: String, OutcomeWord {
    static let functions = ["grant_role"]

    case secondOwnerNeeded = "second_owner_needed"
}
