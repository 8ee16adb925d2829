import Cryptography
package import Foundation
import Postgres
import Providers
package import Sessions
package import Vocabulary

/// Devices that prove themselves by a secret.
extension FactorService {
    /// A device with a secret.
    package struct ConfirmedDevice: Sendable, Equatable {
        package let id: UUID
        package let name: String?
        package let addedAt: Date
        package let usedAt: Date?
        /// The user's choice.
        package let isRemembered: Bool
    }

    /// Adds the device of a session; it gets the session's id.
    ///
    /// It replaces the second factor only if the session proved two factors within ``RecentProof``.
    ///
    /// - Throws: `factorExists` if the session has one already.
    package func confirm(
        _ secret: DeviceSecret, named name: String?, isRemembered: Bool, session: SessionSnapshot, caller: Caller
    ) async throws(Rejection) {
        let facts = session.facts
        let sealed = secret.sealed(box, facts.account)
        let digest = DeviceSecret.digest(of: secret.name)
        let name = name.flatMap { DisplayName.clean($0, limit: 100) }
        try await change(DeviceConfirmation.self) { connection in
            try connection.row(
                """
                select confirm_device(\(facts.session), \(facts.account), \(digest), \(name), \(sealed.realm), \(sealed.name), \(sealed.salt),
                                      \(sealed.sealed), \(isRemembered), \(Int32(FlowService.rememberedLife)), \(RecentProof.seconds),
                                      \(facts.session), \(facts.clientID), \(caller.address), \(caller.requestID))
                """)
        }
    }

    package func confirmedDevices(of account: UUID) async throws(Rejection) -> [ConfirmedDevice] {
        try await rejecting(logger) {
            try await pool.query(
                """
                select id, name, added_at, used_at, is_remembered from remembered_devices
                 where account_id = \(account) and srp_sealed is not null and expires_at > now() order by added_at, id
                """
            ) {
                ConfirmedDevice(
                    id: try $0.value(0), name: try $0.value(1), addedAt: try $0.value(2), usedAt: try $0.value(3),
                    isRemembered: try $0.value(4))
            }
        }
    }

    /// Remembers a device, or no longer.
    ///
    /// - Throws: `notFound` for a device that the account does not have.
    package func change(
        device: UUID, isRemembered: Bool, session: SessionSnapshot, caller: Caller
    ) async throws(Rejection) {
        let facts = session.facts
        try await change(DeviceChange.self) { connection in
            try connection.row(
                """
                select change_device(\(device), \(facts.account), \(isRemembered), \(RecentProof.seconds), \(facts.session), \(facts.clientID),
                                     \(caller.address), \(caller.requestID))
                """)
        }
    }
}

/// The outcomes of `confirm_device`.
enum DeviceConfirmation: String, OutcomeWord {
    static let functions = ["confirm_device"]

    case confirmed
}

/// The outcomes of `change_device`.
enum DeviceChange: String, OutcomeWord {
    static let functions = ["change_device"]

    case changed
}
