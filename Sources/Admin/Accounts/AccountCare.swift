import Cryptography
package import Foundation
import Postgres

/// What helps a person without touching whose the account is: sessions, status, password, proofs.
package struct AccountCare: Sendable {
    private let desk: AdminDesk
    /// The ways in that can be used today.
    private let waysIn: [String]

    package init(desk: AdminDesk, waysIn: [String]) {
        (self.desk, self.waysIn) = (desk, waysIn)
    }

    /// Disables an account, or enables it again; its sessions end.
    package func set(enabled: Bool, _ account: UUID, because reason: Reason, by actor: AdminActor) async throws {
        let deed: AdminDeed = enabled ? .enableAccount : .disableAccount
        let status = enabled ? "active" : "disabled"
        try await desk.change(deed, actor, of: [account], because: reason) { connection in
            try Self.requireAccount(account, connection)
            let isDone: Bool? = try connection.queryOne(
                "select set_account_status(\(account), \(status), 'operator', \(actor.requestID))")?.value(0)
            guard isDone == true else { throw AdminRefusal.nothingToChange }
        }
    }

    /// The password opens nothing until its owner has set another by a proved address.
    package func requireReset(_ account: UUID, because reason: Reason, by actor: AdminActor) async throws {
        try await setPassword("reset_required", nil, of: account, .requireReset, reason, actor)
    }

    /// A password that is good for one sign-in, in which its owner chooses another.
    ///
    /// For the command line alone: whoever knows it is in the account, so no role reaches it from afar.
    package func setTemporaryPassword(hash: String, of account: UUID, because reason: Reason, by actor: AdminActor)
        async throws
    {
        guard case .commandLine = actor else { throw AdminRefusal.roleTooLow }
        try await setPassword("temporary", hash, of: account, .requireReset, reason, actor)
    }

    private func setPassword(
        _ state: String, _ hash: String?, of account: UUID, _ deed: AdminDeed, _ reason: Reason, _ actor: AdminActor
    ) async throws {
        try await desk.change(deed, actor, of: [account], because: reason) { connection in
            let word: String? = try connection.queryOne(
                "select set_password_state(\(account), \(state), \(hash), \(actor.requestID))")?.value(0)
            guard word == "done" else { throw AdminRefusal.notFound }
        }
    }

    /// Wants a second factor at every sign-in, or no longer.
    package func demandSecondFactor(
        _ isDemanded: Bool, of account: UUID, because reason: Reason, by actor: AdminActor
    ) async throws {
        try await desk.change(.requireReset, actor, of: [account], because: reason) { connection in
            // An operator's second factor is part of the role.
            let isOperator = try connection.queryOne("select 1 from operators where account_id = \(account)") != nil
            guard isDemanded || !isOperator else { throw AdminRefusal.operatorAccount }
            let word: String? = try connection.queryOne(
                "select demand_second_factor(\(account), \(isDemanded), \(actor.requestID))")?.value(0)
            guard word == "done" else { throw AdminRefusal.notFound }
        }
    }

    /// An address or number counts as proved no longer, until its owner proves it again.
    package func requireProof(_ key: String, of account: UUID, because reason: Reason, by actor: AdminActor)
        async throws
    {
        let waysIn = waysIn
        try await desk.change(.requireProof, actor, of: [account], because: reason) { connection in
            let row = try connection.queryOne(
                """
                select require_proof(\(account), lower(\(key) collate "C"), \(waysIn), \(actor.address), \(actor.requestID))
                """)
            try AdminDesk.refuse(try row?.value(0, as: String?.self))
        }
    }

    /// Ends one session, or all of them and every device's memory.
    package func endSessions(_ session: UUID?, of account: UUID, because reason: Reason, by actor: AdminActor)
        async throws
    {
        try await desk.change(.endSessions, actor, of: [account], because: reason) { connection in
            let row = try connection.queryOne(
                "select operator_end_sessions(\(account), \(session), \(actor.address), \(actor.requestID))")
            try AdminDesk.refuse(try row?.value(0, as: String?.self))
        }
    }

    private static func requireAccount(_ account: UUID, _ connection: Connection) throws {
        guard try connection.queryOne("select 1 from accounts where id = \(account)") != nil else {
            throw AdminRefusal.notFound
        }
    }
}
