package import Foundation
package import Messages
package import OperatorAccess
import Postgres

/// Changes that help a user and leave the owner of every identity unchanged: sessions, status, password, proofs.
package struct AccountCare: Sendable {
    private let desk: AdminDesk
    /// The usable sign-in methods of providers.
    private let signInMethods: [String]
    /// The delay in seconds before second factors are removed, during which the user can cancel; 0 removes them
    /// immediately.
    private let factorWait: Int
    /// The same delay in whole hours.
    package var factorWaitHours: Int { factorWait / 3_600 }

    package init(desk: AdminDesk, signInMethods: [String], factorWait: Int = 0) {
        (self.desk, self.signInMethods, self.factorWait) = (desk, signInMethods, factorWait)
    }

    /// Disables an account, or enables it again; its sessions end.
    package func set(enabled: Bool, _ account: UUID, because reason: Reason, by actor: AdminActor) async throws {
        let action: AdminAction = enabled ? .enableAccount : .disableAccount
        let status = enabled ? "active" : "disabled"
        try await desk.change(action, actor, of: [account], because: reason) { connection in
            try Self.requireAccount(account, connection)
            let isDone: Bool? = try connection.queryOne(
                "select set_account_status(\(account), \(status), 'operator', \(actor.requestID))")?.value(0)
            guard isDone == true else { throw AdminRefusal.nothingToChange }
        }
    }

    /// Disables the password until its owner sets a new one through a proved address.
    package func requireReset(_ account: UUID, because reason: Reason, by actor: AdminActor) async throws {
        try await setPassword("reset_required", nil, of: account, .requireReset, nil, reason, actor)
    }

    /// Sets a password; its sessions end.
    ///
    /// Only for the command line and back ends: anyone with the password can sign in, so no operator may do this remotely.
    ///
    /// - Parameters:
    ///   - isTemporary: it works for one sign-in, which asks for a new password.
    ///   - message: tells the user the password; nil for none.
    package func setPassword(
        _ password: PasswordVerifiers, isTemporary: Bool, of account: UUID, message: OutgoingMessage? = nil,
        because reason: Reason, by actor: AdminActor
    ) async throws {
        if case .session = actor { throw AdminRefusal.roleTooLow }
        let state = isTemporary ? "temporary" : "usable"
        try await setPassword(state, password, of: account, .setPassword, message, reason, actor)
    }

    private func setPassword(
        _ state: String, _ password: PasswordVerifiers?, of account: UUID, _ action: AdminAction,
        _ message: OutgoingMessage?, _ reason: Reason, _ actor: AdminActor
    ) async throws {
        try await desk.change(action, actor, of: [account], because: reason) { connection in
            let row = try connection.row(
                "select set_password_state(\(account), \(state), \(password), \(actor.mark), \(actor.requestID))")
            _ = try row.operatorAnswer(as: CareWord.self)
            _ = try connection.queryOne("select enqueue(\(outgoing: message))")
        }
    }

    /// Requires a second factor at every sign-in, or stops requiring it.
    package func demandSecondFactor(
        _ isDemanded: Bool, of account: UUID, because reason: Reason, by actor: AdminActor
    ) async throws {
        try await desk.change(.demandFactor, actor, of: [account], because: reason) { connection in
            // Operator roles always require a second factor.
            let isOperator = try connection.queryOne("select 1 from operators where account_id = \(account)") != nil
            guard isDemanded || !isOperator else { throw AdminRefusal.operatorAccount }
            let row = try connection.row(
                "select demand_second_factor(\(account), \(isDemanded), \(actor.requestID))")
            _ = try row.operatorAnswer(as: CareWord.self)
        }
    }

    /// Removes every second factor of a user who lost them, after a delay in which the user can cancel.
    ///
    /// - Parameter now: skip the delay; only for the command line.
    /// - Returns: the time of the removal; nil if it is done.
    /// - Throws: `operatorAccount` for an operator's account, except from the command line; `nothingToChange` without
    ///   second factors or with a pending removal; `lastCredential` without another sign-in method.
    package func removeFactors(
        of account: UUID, now: Bool = false, because reason: Reason, by actor: AdminActor
    ) async throws -> Date? {
        if now, actor.id != nil { throw AdminRefusal.roleTooLow }
        let (signInMethods, seconds) = (signInMethods, Int32(now ? 0 : factorWait))
        return try await desk.change(.removeFactors, actor, of: [account], because: reason) { connection in
            let row = try connection.row(
                """
                select outcome, due_at
                  from ask_factor_removal(\(account), \(actor.id), \(reason.text), \(seconds), \(signInMethods), \(actor.address),
                                          \(actor.requestID))
                """)
            return switch try row.operatorAnswer(as: FactorRemovalAsking.self) {
            case .asked: try row.value(1, as: Date.self)
            case .removed: nil
            }
        }
    }

    /// Cancels a pending removal of second factors.
    package func keepFactors(of account: UUID, because reason: Reason, by actor: AdminActor) async throws {
        try await desk.change(.removeFactors, actor, of: [account], because: reason) { connection in
            let isKept: Bool? = try connection.queryOne(
                """
                select cancel_factor_removal(\(account), 'operator', null, null, \(actor.address), \(actor.requestID))
                """)?.value(0)
            guard isKept == true else { throw AdminRefusal.nothingToChange }
        }
    }

    /// Marks an address or number as unproved until its owner proves it again.
    package func requireProof(_ key: String, of account: UUID, because reason: Reason, by actor: AdminActor)
        async throws
    {
        let signInMethods = signInMethods
        try await desk.change(.requireProof, actor, of: [account], because: reason) { connection in
            let row = try connection.row(
                """
                select require_proof(\(account), lower(\(key) collate "C"), \(signInMethods), \(actor.address), \(actor.requestID))
                """)
            try row.throwRefusal()
        }
    }

    /// Ends one session, or all of them and every remembered device.
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

/// The outcomes of changing an account's password or second factor (`set_password_state`, `demand_second_factor`).
enum CareWord: String, OutcomeWord {
    static let functions = ["demand_second_factor", "set_password_state"]

    case done
}

/// The outcomes of requesting a removal of second factors (`ask_factor_removal`).
enum FactorRemovalAsking: String, OutcomeWord {
    static let functions = ["ask_factor_removal"]

    case asked, removed
}
