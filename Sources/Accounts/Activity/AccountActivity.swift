package import Foundation
package import Sessions

/// An event of an account, as its user may see it.
package struct AccountEvent: Sendable, Equatable {
    /// The event; the raw value is the `type` of the API.
    package enum Kind: String, Sendable, CaseIterable {
        case accountCreated = "account_created"
        case signedIn = "signed_in"
        /// The sign-in came from a device that the account had not used.
        case newDevice = "new_device"
        case wrongPassword = "wrong_password"
        case wrongCode = "wrong_code"
        case sessionEnded = "session_ended"
        case passwordChanged = "password_changed"
        case factorAdded = "factor_added"
        case factorRemoved = "factor_removed"
        /// An operator requested the removal of all second factors, and its results.
        case factorRemovalRequested = "factor_removal_requested"
        case factorRemovalCancelled = "factor_removal_cancelled"
        case allFactorsRemoved = "all_factors_removed"
        case recoveryCodesReplaced = "recovery_codes_replaced"
        case secondFactorDemanded = "second_factor_demanded"
        case identityLinked = "identity_linked"
        case identityUnlinked = "identity_unlinked"
        case addressAdded = "address_added"
        case addressRemoved = "address_removed"
        case mainAddressChanged = "main_address_changed"
        case dataExported = "data_exported"
        case deletionRequested = "deletion_requested"
        case deletionCancelled = "deletion_cancelled"
        case accountDisabled = "account_disabled"
        case accountEnabled = "account_enabled"
        case accountsMerged = "accounts_merged"
        case accountsSeparated = "accounts_separated"
    }

    /// The actor.
    package enum Author: String, Sendable, CaseIterable {
        case person
        /// An operator.
        case support
        /// The server, such as after a stolen token, or on a provider's report.
        case service
    }

    package let at: Date
    package let kind: Kind
    package let author: Author
    /// The kind of factor or address: `totp`, `email`, ….
    package let subject: String?
    package let clientID: String?
    package let provider: String?
    /// The network address of the request.
    package let address: String?
    package let deviceName: String?
    package let userAgent: String?
    /// What proved the user of its session; empty without one, or once it is deleted.
    package let proofs: [Proof.Kind]
}

extension AccountEvent {
    /// The actions of the audit log that users see; all others stay internal.
    static let shown: [String: Kind] = [
        "account_created": .accountCreated, "signed_in": .signedIn, "new_device": .newDevice,
        "session_ended": .sessionEnded,
        "password_set": .passwordChanged, "factor_added": .factorAdded, "factor_removed": .factorRemoved,
        "factor_removal_asked": .factorRemovalRequested, "factor_removal_cancelled": .factorRemovalCancelled,
        "recovery_codes_replaced": .recoveryCodesReplaced, "second_factor_demanded": .secondFactorDemanded,
        "identity_linked": .identityLinked, "identity_unlinked": .identityUnlinked,
        "address_added": .addressAdded, "address_removed": .addressRemoved,
        "main_address_changed": .mainAddressChanged, "account_exported": .dataExported,
        "deletion_requested": .deletionRequested, "deletion_cancelled": .deletionCancelled,
        "account_disabled": .accountDisabled, "account_active": .accountEnabled,
        "own_accounts_merged": .accountsMerged, "own_merge_undone": .accountsSeparated,
    ]

    /// The refusals that users see, by reason.
    static let shownRefusals: [String: Kind] = ["invalid_credentials": .wrongPassword, "code_wrong": .wrongCode]

    /// The kind of object, by the reason code; other reasons are not shown to users.
    private static let subjects: Set<String> = ["totp", "sms", "email", "phone", "passkey"]

    private static func kind(_ action: String, _ reason: String?, isRefused: Bool) -> Kind? {
        if isRefused { return reason.flatMap { shownRefusals[$0] } }
        // Users remove factors one by one, operators all at once.
        return action == "factor_removed" && reason == "operator" ? .allFactorsRemoved : shown[action]
    }

    /// Nil for an action that isn't shown.
    init?(
        at: Date, action: String, reason: String?, isRefused: Bool = false, hasActor: Bool, hasSession: Bool,
        clientID: String?,
        provider: String?, address: String?, deviceName: String?, userAgent: String?,
        proofs: [Proof.Kind] = []
    ) {
        guard let kind = Self.kind(action, reason, isRefused: isRefused) else { return nil }
        let isByOperator =
            hasActor || kind.isAlwaysByOperator || reason?.hasPrefix("operator") == true
            || (kind.isByOperatorWithoutSession && !hasSession)
        let isByService =
            ["refresh_reuse", "generation_ahead", "code_reused", "code_refused"].contains(reason)
            || reason?.hasPrefix("provider_") == true
        let isAboutSomething = [.factorAdded, .factorRemoved, .addressAdded, .addressRemoved, .mainAddressChanged]
            .contains(kind)
        self.init(
            at: at, kind: kind, author: isByOperator ? .support : isByService ? .service : .person,
            subject: isAboutSomething ? reason.flatMap { Self.subjects.contains($0) ? $0 : nil } : nil,
            // The operator's network address is not shown to users.
            clientID: isByOperator ? nil : clientID, provider: provider, address: isByOperator ? nil : address,
            deviceName: isByOperator ? nil : deviceName, userAgent: isByOperator ? nil : userAgent,
            proofs: proofs)
    }
}

extension AccountEvent.Kind {
    fileprivate var isAlwaysByOperator: Bool {
        [.accountDisabled, .accountEnabled, .secondFactorDemanded, .factorRemovalRequested, .allFactorsRemoved]
            .contains(self)
    }

    /// Users act in a session, operators without one.
    fileprivate var isByOperatorWithoutSession: Bool {
        [.dataExported, .deletionRequested, .deletionCancelled].contains(self)
    }
}
