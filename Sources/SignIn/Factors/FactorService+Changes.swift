package import Foundation
import Postgres
import Providers
package import Sessions
package import Vocabulary

extension FactorService {
    package func remove(_ factor: UUID, session: SessionSnapshot, caller: Caller) async throws(Rejection) {
        let facts = session.facts
        let signInMethods = try signInMethods(of: session)
        try await change(FactorRemoval.self) { connection in
            try connection.row(
                """
                select remove_factor(\(facts.account), \(factor), \(signInMethods), \(facts.session), \(RecentProof.seconds), \(facts.clientID), \(caller.address),
                                     \(caller.requestID))
                """)
        }
    }

    /// Renames or prefers a factor; nil changes nothing.
    package func change(
        _ factor: UUID, name: String?, isPreferred: Bool?, session: SessionSnapshot, caller: Caller
    ) async throws(Rejection) {
        let facts = session.facts
        let name = name.flatMap { DisplayName.clean($0, limit: 100) }
        try await change(FactorChange.self) { connection in
            try connection.row(
                """
                select change_factor(\(facts.account), \(factor), \(name), \(isPreferred), \(facts.session), \(facts.clientID),
                                     \(caller.address), \(caller.requestID))
                """)
        }
    }

    /// Replaces all recovery codes and returns the new ones, which are shown only once.
    package func replaceRecoveryCodes(session: SessionSnapshot, caller: Caller) async throws(Rejection) -> [String] {
        let facts = session.facts
        let codes = recoveryCodes.make()
        let digests = codes.map { recoveryCodes.digest($0, account: facts.account) }
        try await change(RecoveryCodeReplacement.self) { connection in
            try connection.row(
                """
                select replace_recovery_codes(\(facts.account), \(digests), \(facts.session), \(RecentProof.seconds), \(facts.clientID), \(caller.address),
                                              \(caller.requestID))
                """)
        }
        return codes
    }

    /// A device that skips the second factor.
    package struct RememberedDevice: Sendable, Equatable {
        package let id: UUID
        package let name: String?
        package let addedAt: Date
        package let usedAt: Date?
        package let expiresAt: Date
    }

    package func rememberedDevices(of session: SessionSnapshot) async throws(Rejection) -> [RememberedDevice] {
        let account = session.facts.account
        return try await rejecting(logger) {
            try await pool.query(
                """
                select id, name, added_at, used_at, expires_at from remembered_devices
                 where account_id = \(account) and is_remembered and expires_at > now() order by added_at
                """
            ) {
                RememberedDevice(
                    id: try $0.value(0), name: try $0.value(1), addedAt: try $0.value(2), usedAt: try $0.value(3),
                    expiresAt: try $0.value(4))
            }
        }
    }

    /// Returns the due time of an operator's removal of second factors; nil if none is pending.
    package func removalDue(of session: SessionSnapshot) async throws(Rejection) -> Date? {
        let account = session.facts.account
        return try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne("select due_at from factor_removals where account_id = \(account)")?.value(0)
            }
        }
    }

    /// Cancels an operator's removal of the second factors.
    ///
    /// Any live session is enough, even with an old proof, because the account stays unchanged.
    package func keep(_ session: SessionSnapshot, caller: Caller) async throws(Rejection) {
        let facts = session.facts
        let isKept: Bool? = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne(
                    """
                    select cancel_factor_removal(\(facts.account), 'person', \(facts.session), \(facts.clientID), \(caller.address),
                                                 \(caller.requestID))
                     where session_lives(\(facts.account), \(facts.session))
                    """)?.value(0)
            }
        }
        guard let isKept else { throw .sessionEnded() }
        guard isKept else { throw .notFound }
    }

    /// Forgets a remembered device, so that it needs the second factor again.
    package func forget(_ device: UUID, session: SessionSnapshot, caller: Caller) async throws(Rejection) {
        let facts = session.facts
        try await change(DeviceForgetting.self) { connection in
            try connection.row(
                """
                select forget_device(\(facts.account), \(device), \(facts.session), \(facts.clientID), \(caller.address),
                                     \(caller.requestID))
                """)
        }
    }

    /// Runs a statement that returns an outcome.
    func change<Word: OutcomeWord>(
        _ word: Word.Type, _ statement: @Sendable @escaping (Connection) throws -> Row
    ) async throws(Rejection) {
        _ = try await rejecting(logger) {
            try await pool.withConnection { connection in try statement(connection).answer(as: word) }
        }
    }
}

/// The outcomes of `remove_factor`.
enum FactorRemoval: String, OutcomeWord {
    static let functions = ["remove_factor"]

    case removed
}

/// The outcomes of `change_factor`.
enum FactorChange: String, OutcomeWord {
    static let functions = ["change_factor"]

    case changed
}

/// The outcomes of `replace_recovery_codes`.
enum RecoveryCodeReplacement: String, OutcomeWord {
    static let functions = ["replace_recovery_codes"]

    case replaced
}

/// The outcomes of `forget_device`.
enum DeviceForgetting: String, OutcomeWord {
    static let functions = ["forget_device"]

    case forgotten
}
