package import Foundation
import JSON
package import Messages
package import OperatorAccess
import Postgres
package import Vocabulary

/// Creates accounts for operators and back ends, and invites their users.
package struct AccountCreation: Sendable {
    /// Hashes the password of a new account of a client.
    package typealias Hashing =
        @Sendable (_ password: String, _ account: UUID, _ user: NewUser, _ client: String, Caller) async throws ->
        PasswordVerifiers

    private let desk: AdminDesk
    private let outbox: Outbox
    /// Nil at the command line, which hashes by itself.
    private let hashing: Hashing?

    package init(desk: AdminDesk, outbox: Outbox, hashing: Hashing? = nil) {
        (self.desk, self.outbox, self.hashing) = (desk, outbox, hashing)
    }

    /// Creates an account, and invites its user if asked.
    ///
    /// - Parameters:
    ///   - verifiers: of the password, from the command line.
    ///   - once: the single-use value of the request; nil without one.
    /// - Throws: `identityInUse` for a sign-in name of another account; `invalidMember` for an unknown app, and for a
    ///   password from an operator; the refusals of the password policy (``Rejection``).
    package func create(
        _ new: NewAccount, verifiers: PasswordVerifiers? = nil, once: Once? = nil, because reason: Reason,
        by actor: AdminActor
    ) async throws -> UUID {
        let account = desk.newID()
        let client = try await client(of: new, by: actor)
        let password = if let verifiers { verifiers } else { try await hashed(new, account, client, actor) }
        let user = new.user
        let state = JSONText(user.state(password).text)
        let message = try await desk.change(.createAccount, actor, of: [account], because: reason) { connection in
            try once?.spend(connection)
            let row = try connection.row(
                """
                select create_account(\(account), \(state), \(user.proved), 'usable', null, \(actor.mark), \(client), \(actor.requestID))
                """)
            guard try row.value(0, as: AccountStore.Creation.self) == .created else { throw AdminRefusal.identityInUse }
            return new.isInvited ? try invite(account, actor, connection) : nil
        }
        await deliver(message)
        return account
    }

    /// Invites the user of an account again, or for the first time; an earlier link stops working.
    ///
    /// - Throws: `nothingToChange` for an account with another sign-in method; `invalidMember` without an address.
    package func invite(_ account: UUID, because reason: Reason, by actor: AdminActor) async throws {
        let message = try await desk.change(.inviteAccount, actor, of: [account], because: reason) { connection in
            try invite(account, actor, connection)
        }
        await deliver(message)
    }

    private func invite(_ account: UUID, _ actor: AdminActor, _ connection: Connection) throws -> OutgoingMessage {
        let row = try connection.queryOne(
            """
            select e.address, e.address_key, a.client_id
              from account_emails e join accounts a on a.id = e.account_id
             where e.account_id = \(account) and e.is_main and not e.is_relay
            """)
        guard let row, let address = EmailAddress(try row.value(0, as: String.self)) else {
            throw AdminRefusal.invalidMember(pointer: "/email", reason: "needs_email")
        }
        let (key, client): (String, String?) = (try row.value(1), try row.value(2))
        let token = InvitationToken()
        let message = outbox.prepare(
            .invitationLink(token: token.text), to: .email(address), language: "", account: account, client: client)
        let invited = try connection.row(
            """
            select invite_account(\(account), \(token.digest), \(key), \(client), \(InvitationToken.lifeSeconds), \(outgoing: message),
                                  \(actor.address), \(actor.requestID))
            """)
        try invited.throwRefusal()
        return message
    }

    /// The app of the new account: the named one, if an access key reaches it, or else the app of the key.
    private func client(of new: NewAccount, by actor: AdminActor) async throws -> String? {
        try await desk.look(.createAccount, actor) { connection in
            if let key = actor.keyID {
                let row = try connection.row(
                    """
                    select coalesce(\(new.client), k.client_id),
                           k.reach = 'gateway' or coalesce(\(new.client), k.client_id) in (select pool_apps(k.id))
                      from access_keys k where k.id = \(key)
                    """)
                guard try row.value(1) else { throw AdminRefusal.outOfReach }
                return try Self.known(try row.value(0), connection)
            }
            return try new.client.map { try Self.known($0, connection) }
        }
    }

    private static func known(_ client: String, _ connection: Connection) throws -> String {
        guard try connection.queryOne("select 1 from clients where id = \(client) and disabled_at is null") != nil
        else {
            throw AdminRefusal.invalidMember(pointer: "/client_id", reason: "unknown")
        }
        return client
    }

    /// An operator would know the password of a user, so only back ends set one.
    private func hashed(
        _ new: NewAccount, _ account: UUID, _ client: String?, _ actor: AdminActor
    ) async throws -> PasswordVerifiers? {
        guard let password = new.password else { return nil }
        guard case .accessKey(_, _, let caller) = actor, let client, let hashing else {
            throw AdminRefusal.invalidMember(pointer: "/password", reason: "needs_access_key")
        }
        return try await hashing(password, account, new.user, client, caller)
    }

    /// A failed delivery is tried again by the outbox, so it is no refusal.
    private func deliver(_ message: OutgoingMessage?) async {
        guard let message else { return }
        try? await outbox.deliver(message)
    }
}
