package import Foundation
import JSON
import Postgres

/// Who is an operator, and the changes of that.
package struct OperatorDesk: Sendable {
    private let desk: AdminDesk
    /// Whether a second owner confirms a new one.
    private let confirmsOwners: Bool

    package init(desk: AdminDesk, confirmsOwners: Bool = false) {
        (self.desk, self.confirmsOwners) = (desk, confirmsOwners)
    }

    /// An operator as the list shows it.
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

    /// The role of whoever asks; it refuses who has none, or came in without a second factor.
    package func role(of actor: AdminActor) async throws -> OperatorRole {
        let account = actor.account
        return try await desk.look(.showOperators, actor) { connection in
            guard let account else { return .owner }
            let role: String? = try connection.queryOne("select role from operators where account_id = \(account)")?
                .value(0)
            guard let role = role.flatMap(OperatorRole.init(rawValue:)) else { throw AdminRefusal.notAnOperator }
            return role
        }
    }

    /// Refuses what a change of these accounts would be refused for by who asks for it: a page that asks for the change
    /// can say so before anything is typed.
    package func check(_ deed: AdminDeed, of accounts: [UUID], by actor: AdminActor) async throws {
        try await desk.check(deed, actor, of: accounts)
    }

    /// A way into an account, and how old it is.
    package struct SignInMethod: Sendable, Equatable {
        /// `identity`, `password`, `email`, `phone`, `totp`, `sms`, `passkey`, `device`.
        package let kind: String
        /// What tells it from others of its kind; nil for a password.
        package let name: String?
        /// Since when it is in this account, RFC 3339: what came from another account has the time of its coming.
        package let since: String
        /// How it came to the account, where that is known: `operator`, `beside_operator`, `own_merge`, `person`, `import`,
        /// a rule of linking, the provider that reported an address.
        package let origin: String?
    }

    /// All that lets somebody into an account, the newest first: what a role would rest on.
    package func methods(of account: UUID, by actor: AdminActor) async throws -> [SignInMethod] {
        try await desk.view(.showAccount, actor, { _ in [.account(account)] }) { connection in
            let row = try connection.queryOne(
                "select sign_in_methods(id)::text from accounts where id = \(account) and status <> 'closed'")
            return try (AccountRecords.document(row?.value(0)).array ?? []).map { method in
                SignInMethod(
                    kind: method["kind"]?.string ?? "", name: method["name"]?.string,
                    since: method["since"]?.string ?? "", origin: method["by"]?.string)
            }
        }
    }

    /// How long a second owner has to grant the same, in seconds.
    private static let confirmationSeconds: Int32 = 86_400

    /// What became of a grant.
    package enum Grant: Sendable, Equatable {
        case granted
        /// A second owner grants the same within a day, and then it is done.
        case waitsForOwner
    }

    /// Makes an account an operator, or changes its role; what the account has open ends.
    ///
    /// - Parameter force: an account is good enough that has no second factor yet, or that an operator changed of late. For
    ///   the command line alone.
    /// - Throws: `roleNeedsFactor`, `changeNotSettled` and the refusals of every change.
    @discardableResult
    package func grant(
        _ role: OperatorRole, to account: UUID, because reason: Reason, by actor: AdminActor, force: Bool = false
    ) async throws -> Grant {
        let confirmation = confirmsOwners ? Self.confirmationSeconds : nil
        return try await desk.change(.changeRole, actor, of: [account], because: reason) { connection in
            let row = try connection.row(
                """
                select grant_role(\(account), \(role.rawValue), \(actor.account), \(actor.address), \(actor.requestID), \(confirmation), \(force))
                """)
            return switch try row.optionalAnswer(as: GrantWord.self) {
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

/// What a grant still needs (`grant_role`); null where the role is granted.
enum GrantWord: String, OutcomeWord {
    static let functions = ["grant_role"]

    case secondOwnerNeeded = "second_owner_needed"
}
