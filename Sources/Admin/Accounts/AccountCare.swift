import Cryptography
package import Foundation
import Postgres

/// What helps a person without touching whose the account is: sessions, status, password, proofs.
package struct AccountCare: Sendable {
    private let desk: AdminDesk
    /// The ways in that can be used today.
    private let waysIn: [String]
    /// Seconds in which a person can take the removal of the second factors back; 0 removes them at once.
    private let factorWait: Int
    /// The same in whole hours.
    package var factorWaitHours: Int { factorWait / 3_600 }

    package init(desk: AdminDesk, waysIn: [String], factorWait: Int = 0) {
        (self.desk, self.waysIn, self.factorWait) = (desk, waysIn, factorWait)
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
            let row = try connection.row(
                "select set_password_state(\(account), \(state), \(hash), \(actor.requestID))")
            _ = try row.answer(as: CareWord.self)
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
            let row = try connection.row(
                "select demand_second_factor(\(account), \(isDemanded), \(actor.requestID))")
            _ = try row.answer(as: CareWord.self)
        }
    }

    /// Removes every second factor of somebody who lost them, after the time in which the person can take that back.
    ///
    /// - Parameter now: don't wait; for the command line alone.
    /// - Returns: when it is done; nil where it is done already.
    /// - Throws: `operatorAccount` for an operator's, save by the command line, `nothingToChange` where there is none or it
    ///   waits already, `lastCredential` where nothing else would open the account.
    package func removeFactors(
        of account: UUID, now: Bool = false, because reason: Reason, by actor: AdminActor
    ) async throws -> Date? {
        if now, case .session = actor { throw AdminRefusal.roleTooLow }
        let (waysIn, seconds) = (waysIn, Int32(now ? 0 : factorWait))
        return try await desk.change(.removeFactors, actor, of: [account], because: reason) { connection in
            let row = try connection.row(
                """
                select outcome, due_at
                  from ask_factor_removal(\(account), \(actor.account), \(reason.text), \(seconds), \(waysIn), \(actor.address),
                                          \(actor.requestID))
                """)
            return switch try row.answer(as: FactorRemovalAsking.self) {
            case .asked: try row.value(1, as: Date.self)
            case .removed: nil
            }
        }
    }

    /// Keeps the second factors whose removal waits.
    package func keepFactors(of account: UUID, because reason: Reason, by actor: AdminActor) async throws {
        try await desk.change(.removeFactors, actor, of: [account], because: reason) { connection in
            let isKept: Bool? = try connection.queryOne(
                """
                select cancel_factor_removal(\(account), 'operator', null, null, \(actor.address), \(actor.requestID))
                """)?.value(0)
            guard isKept == true else { throw AdminRefusal.nothingToChange }
        }
    }

    /// An address or number counts as proved no longer, until its owner proves it again.
    package func requireProof(_ key: String, of account: UUID, because reason: Reason, by actor: AdminActor)
        async throws
    {
        let waysIn = waysIn
        try await desk.change(.requireProof, actor, of: [account], because: reason) { connection in
            let row = try connection.row(
                """
                select require_proof(\(account), lower(\(key) collate "C"), \(waysIn), \(actor.address), \(actor.requestID))
                """)
            try row.throwRefusal()
        }
    }

    /// Ends one session, or all of them and every device's memory.
    package func endSessions(_ session: UUID?, of account: UUID, because reason: Reason, by actor: AdminActor)
        async throws
    {
        try await desk.change(.endSessions, actor, of: [account], because: reason) { connection in
            let row = try connection.row(
                "select operator_end_sessions(\(account), \(session), \(actor.address), \(actor.requestID))")
            try row.throwRefusal()
        }
    }

    private static func requireAccount(_ account: UUID, _ connection: Connection) throws {
        guard try connection.queryOne("select 1 from accounts where id = \(account)") != nil else {
            throw AdminRefusal.notFound
        }
    }
}

/// What a change of an account's password or second factor came to (`set_password_state`, `demand_second_factor`).
enum CareWord: String, OutcomeWord {
    static let functions = ["demand_second_factor", "set_password_state"]

    case done
}

/// What asking for the removal of the second factors came to (`ask_factor_removal`).
enum FactorRemovalAsking: String, OutcomeWord {
    static let functions = ["ask_factor_removal"]

    case asked, removed
}
