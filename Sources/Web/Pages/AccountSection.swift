import Vocabulary

/// A section of the user's own account, with an address of its own.
enum AccountSection: String, CaseIterable, Sendable {
    case profile
    case signInMethods = "sign-in-methods"
    case twoStep = "two-step"
    case devices, activity, data

    var address: String { self == .profile ? "/account" : "/account/\(rawValue)" }

    /// The address as the target of a sign-in; nil for the profile, which needs no target.
    var returnPath: String? { self == .profile ? nil : address }

    /// The message with its heading, which is also its name in the navigation.
    var headingKey: String {
        switch self {
        case .profile: "account.profile"
        case .signInMethods: "account.sign_in_methods"
        case .twoStep: "account.security"
        case .devices: "account.devices"
        case .activity: "account.activity"
        case .data: "account.data"
        }
    }
}

/// Completed actions of the account page: the messages `account.done.<it>`.
enum AccountNotice: String, CaseIterable, Sendable {
    case linked, unlinked, ended, saved, merged
    case factorAdded = "factor_added"
    case passkeyAdded = "passkey_added"
    case factorRemoved = "factor_removed"
    case factorPreferred = "factor_preferred"
    case passwordChanged = "password_changed"
    case deviceForgotten = "device_forgotten"
    case accessRevoked = "access_revoked"
    case addressAdded = "address_added"
    case addressRemoved = "address_removed"
    case addressPreferred = "address_preferred"
    case deletionCancelled = "deletion_cancelled"
    case factorsKept = "factors_kept"

    /// The section that shows the result.
    var section: AccountSection {
        switch self {
        case .saved, .addressAdded, .addressRemoved, .addressPreferred: .profile
        case .linked, .unlinked, .merged, .passwordChanged, .passkeyAdded: .signInMethods
        case .factorAdded, .factorRemoved, .factorPreferred, .factorsKept: .twoStep
        case .ended, .deviceForgotten, .accessRevoked: .devices
        case .deletionCancelled: .data
        }
    }

    /// The section with this result.
    ///
    /// - Parameter section: nil for the usual one.
    func address(in section: AccountSection? = nil, _ parameters: [(name: String, value: String)] = []) -> String {
        (section ?? self.section).address.addingQuery([("done", rawValue)] + parameters)
    }
}
