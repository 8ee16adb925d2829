/// What of an account ends with a change.
struct Ending: Sendable, Equatable {
    enum Sessions: Sendable {
        case none
        /// Those that began with the changed identity.
        case ofMethod
        /// The same, without the asking one.
        case othersOfMethod
        /// All without the asking one.
        case others
        case all
    }

    /// A flow that makes the change itself goes on to its own end.
    enum Flows: Sendable {
        case none
        /// The pending proofs of a new address or number.
        case addressChanges
        /// Those that began with the changed identity.
        case ofMethod
        case all
    }

    let sessions: Sessions
    let flows: Flows
    /// The devices that other people's failures do not throttle.
    let knownDevices: Bool
    /// The devices that need no second factor.
    let rememberedDevices: Bool
    /// Whether the former password no longer signs in.
    let password: Bool
    let recoveryCodes: Bool

    /// All that gives a device access, and no secret.
    static let access = Ending(sessions: .all, flows: .all, knownDevices: true, rememberedDevices: true)

    /// All that gives a device access, and secrets.
    static func access(password: Bool = false, recoveryCodes: Bool = false) -> Ending {
        Ending(
            sessions: .all, flows: .all, knownDevices: true, rememberedDevices: true, password: password,
            recoveryCodes: recoveryCodes)
    }

    init(
        sessions: Sessions = .none, flows: Flows = .none, knownDevices: Bool = false, rememberedDevices: Bool = false,
        password: Bool = false, recoveryCodes: Bool = false
    ) {
        (self.sessions, self.flows, self.knownDevices) = (sessions, flows, knownDevices)
        (self.rememberedDevices, self.password, self.recoveryCodes) = (rememberedDevices, password, recoveryCodes)
    }
}

extension AccountChange {
    /// What ends with the change: the table.
    ///
    /// The database does it (`Sources/Postgres/Functions`). `EndingTests` holds each function to its row.
    var ending: Ending {
        switch self {
        case .numberAdded:
            Ending()
        case .recoveryCodesReplaced:
            Ending(recoveryCodes: true)
        case .addressAdded, .relayAddressReplaced, .identityLinked:
            Ending(flows: .addressChanges)
        case .factorAdded, .passkeyAdded, .factorRemoved, .passkeyRemoved, .identityMovedHere,
            .mergedInto, .splitUndone:
            Ending(flows: .all)
        case .lastFactorRemoved:
            Ending(flows: .all, rememberedDevices: true, recoveryCodes: true)
        case .consentWithdrawn, .providerTokenDoubtful:
            Ending(sessions: .ofMethod, flows: .ofMethod)
        case .identityUnlinkedByOperator, .identityMovedAway, .providerAccountDeleted:
            Ending(sessions: .ofMethod, flows: .all)
        case .identityUnlinked:
            Ending(sessions: .othersOfMethod, flows: .all)
        case .numberPreferred:
            Ending(sessions: .others)
        case .addressPreferred:
            Ending(sessions: .others, flows: .addressChanges)
        case .addressRemoved:
            Ending(sessions: .others, flows: .all)
        case .passwordChanged:
            Ending(sessions: .others, flows: .all, knownDevices: true, rememberedDevices: true, password: true)
        case .proofRequired, .addressClaimLost, .mergedAway, .mergeUndone, .accountSplit, .accountDisabled,
            .accountClosed, .deletionRequested, .roleGranted, .signedOutEverywhere, .sessionsEndedByOperator,
            .disownedMethodDropped:
            .access
        case .allFactorsRemoved:
            .access(recoveryCodes: true)
        case .passwordReset, .passwordSetByOperator, .resetRequired, .guestUpgraded, .sessionDisowned:
            .access(password: true)
        case .accountErased:
            .access(password: true, recoveryCodes: true)
        }
    }
}
