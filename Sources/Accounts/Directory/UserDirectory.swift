package import Foundation
import JSON
import Messages
package import OperatorAccess
import Postgres
package import Vocabulary

/// The users as the back ends of clients list, read and change them: those that the access key reaches.
package struct UserDirectory: Sendable {
    private let desk: AdminDesk

    package init(desk: AdminDesk) {
        self.desk = desk
    }

    /// One page of users; `next` is the id of its last user, nil at the end.
    package struct Page: Sendable, Equatable {
        package let users: [DirectoryUser]
        package let next: UUID?
    }

    /// The users that meet a condition, newest first.
    ///
    /// - Parameters:
    ///   - after: the last user of the page before.
    ///   - limit: 1...60.
    package func page(_ filter: UserFilter?, after: UUID?, limit: Int, by actor: AdminActor) async throws -> Page {
        let most = Int32(min(max(limit, 1), 60))
        let (member, value) = (filter?.member.name, filter?.value)
        return try await desk.view(.searchAccounts, actor, { [.search(found: $0.users.map(\.id))] }) { connection in
            let rows = try connection.query(
                """
                select directory_user(account_id)::text
                  from directory_page(\(member), \(value), \(filter?.isPrefix ?? false), \(after ?? .last), \(most + 1), \(actor.keyID))
                 order by account_id desc
                """)
            let users = try rows.compactMap { try Self.user($0.value(0)) }
            let shown = Array(users.prefix(Int(most)))
            return Page(users: shown, next: users.count > shown.count ? shown.last?.id : nil)
        }
    }

    /// The user with this name: an id, a proved address or number, or a user name.
    ///
    /// - Throws: `notFound`.
    package func user(named name: String, by actor: AdminActor) async throws -> DirectoryUser {
        let (id, typed) = (UUID(uuidString: name), SignInName(name))
        return try await desk.view(.showAccount, actor, { [.account($0.id)] }) { connection in
            let row = try connection.queryOne(
                """
                select directory_user(a.id)::text from reached_accounts(\(actor.keyID)) a
                 where a.id = coalesce((select id from accounts where id = \(id)),
                                       account_to_sign_in(\(typed?.kind.rawValue), \(typed?.key)))
                """)
            guard let user = try Self.user(row?.value(0)) else { throw AdminRefusal.notFound }
            return user
        }
    }

    /// Creates an account, with its message in the same transaction.
    ///
    /// - Parameter state: the names, addresses and attributes in the form of `add_signed_up_account`.
    /// - Throws: `identityInUse` for an address, a number or a name of another account.
    func create(
        _ account: UUID, _ state: JSON, proved keys: [String], isTemporary: Bool, _ message: OutgoingMessage?,
        client: String, because reason: Reason, by actor: AdminActor
    ) async throws -> DirectoryUser {
        let passwordState = isTemporary ? "temporary" : "usable"
        return try await desk.change(.createAccount, actor, of: [account], because: reason) { connection in
            let row = try connection.row(
                """
                select create_account(\(account), \(JSONText(state.text)), \(keys), \(passwordState), \(outgoing: message), \(actor.mark), \(client),
                                      \(actor.requestID))
                """)
            guard try row.value(0, as: AccountStore.Creation.self) == .created else {
                throw AdminRefusal.identityInUse
            }
            let made = try connection.row("select directory_user(\(account))::text")
            guard let user = try Self.user(made.value(0)) else { throw AdminRefusal.notFound }
            return user
        }
    }

    /// Creates the account of a pending sign-up, with the flow's id and an unproved address.
    ///
    /// - Throws: `notFound` for an ended sign-up; `identityInUse` for a name that has an account by now.
    package func confirm(_ signUp: UUID, because reason: Reason, by actor: AdminActor) async throws {
        try await desk.change(.createAccount, actor, of: [signUp], because: reason) { connection in
            let row = try connection.row("select confirm_user(\(signUp), \(actor.requestID))")
            switch try row.value(0, as: UserConfirmation.self) {
            case .created: return
            case .notFound: throw AdminRefusal.notFound
            case .emailInUse, .phoneInUse, .userNameTaken: throw AdminRefusal.identityInUse
            }
        }
    }

    /// Makes the main address or number of a user count as proved: the back end vouches for it.
    ///
    /// - Throws: `notFound` for a user without one; `identityInUse` for one that another account has proved.
    package func vouch(
        for kind: SignInName.Kind, of account: UUID, client: String, because reason: Reason, by actor: AdminActor
    ) async throws {
        try await desk.change(.changeProfile, actor, of: [account], because: reason) { connection in
            let row = try connection.row(
                "select vouch_for_address(\(account), \(kind.rawValue), \(client), \(actor.requestID))")
            _ = try row.operatorAnswer(as: AddressVouching.self)
        }
    }

    /// Prefers a factor of a user, or no longer.
    ///
    /// - Throws: `notFound` for a factor that the user does not have.
    package func prefer(
        _ factor: UUID, isPreferred: Bool, of account: UUID, client: String, because reason: Reason,
        by actor: AdminActor
    ) async throws {
        try await desk.change(.changeProfile, actor, of: [account], because: reason) { connection in
            let row = try connection.row(
                """
                select prefer_user_factor(\(account), \(factor), \(isPreferred), \(client), \(actor.address), \(actor.requestID))
                """)
            _ = try row.operatorAnswer(as: UserFactorPreference.self)
        }
    }

    /// Changes the profile of a user.
    package func change(
        _ account: UUID, _ change: ProfileChange, client: String, because reason: Reason, by actor: AdminActor
    ) async throws {
        try await desk.change(.changeProfile, actor, of: [account], because: reason) { connection in
            let row = try connection.row(
                """
                select change_user(\(account), \(JSONText(JSON.object(change.json).text)), \(client), \(actor.address), \(actor.requestID))
                """)
            _ = try row.operatorAnswer(as: UserChanging.self)
        }
    }

    private static func user(_ text: String?) throws -> DirectoryUser? {
        try text.flatMap { DirectoryUser(try JSON(parsing: $0, limits: .provider)) }
    }
}

/// The outcomes of changing a user's profile (`change_user`).
enum UserChanging: String, OutcomeWord {
    static let functions = ["change_user"]

    case changed
}

/// The outcomes of confirming a user's sign-up (`confirm_user`).
enum UserConfirmation: String, OutcomeWord {
    static let functions = ["confirm_user"]

    case created
    case notFound = "not_found"
    case emailInUse = "email_in_use"
    case phoneInUse = "phone_in_use"
    case userNameTaken = "user_name_taken"
}

/// The outcomes of vouching for a user's address (`vouch_for_address`).
enum AddressVouching: String, OutcomeWord {
    static let functions = ["vouch_for_address"]

    case proved
}

/// The outcomes of preferring a user's factor (`prefer_user_factor`).
enum UserFactorPreference: String, OutcomeWord {
    static let functions = ["prefer_user_factor"]

    case changed
}
