import OperatorAccess

/// The operations of Cognito user pools that a back end signs with an access key.
enum CognitoAdminOperation: String, CaseIterable, Sendable {
    // Sign-in
    case adminInitiateAuth = "AdminInitiateAuth"
    case adminRespondToAuthChallenge = "AdminRespondToAuthChallenge"
    case adminUserGlobalSignOut = "AdminUserGlobalSignOut"
    // Users
    case listUsers = "ListUsers"
    case adminGetUser = "AdminGetUser"
    case adminCreateUser = "AdminCreateUser"
    case adminUpdateUserAttributes = "AdminUpdateUserAttributes"
    case adminDeleteUserAttributes = "AdminDeleteUserAttributes"
    case adminEnableUser = "AdminEnableUser"
    case adminDisableUser = "AdminDisableUser"
    case adminDeleteUser = "AdminDeleteUser"
    case adminConfirmSignUp = "AdminConfirmSignUp"
    // Credentials
    case adminSetUserPassword = "AdminSetUserPassword"
    case adminResetUserPassword = "AdminResetUserPassword"
    case adminLinkProviderForUser = "AdminLinkProviderForUser"
    case adminDisableProviderForUser = "AdminDisableProviderForUser"
    // Factors and devices
    case adminSetUserMFAPreference = "AdminSetUserMFAPreference"
    case adminGetDevice = "AdminGetDevice"
    case adminListDevices = "AdminListDevices"

    /// - Parameter target: `X-Amz-Target`.
    init?(target: String) {
        guard let name = CognitoOperation.name(inTarget: target) else { return nil }
        self.init(rawValue: name)
    }

    /// The action in metrics and in the audit log: the same as for this work through other doors.
    var action: String {
        switch self {
        case .adminInitiateAuth: CognitoOperation.initiateAuth.action
        case .adminRespondToAuthChallenge: CognitoOperation.respondToAuthChallenge.action
        case .adminUserGlobalSignOut: AdminAction.endSessions.rawValue
        case .listUsers: AdminAction.searchAccounts.rawValue
        case .adminGetUser, .adminGetDevice, .adminListDevices: AdminAction.showAccount.rawValue
        case .adminCreateUser, .adminConfirmSignUp: AdminAction.createAccount.rawValue
        case .adminUpdateUserAttributes, .adminDeleteUserAttributes, .adminSetUserMFAPreference:
            AdminAction.changeProfile.rawValue
        case .adminEnableUser: AdminAction.enableAccount.rawValue
        case .adminDisableUser: AdminAction.disableAccount.rawValue
        case .adminDeleteUser: AdminAction.deleteAccount.rawValue
        case .adminSetUserPassword: AdminAction.setPassword.rawValue
        case .adminResetUserPassword: AdminAction.requireReset.rawValue
        case .adminLinkProviderForUser: AdminAction.linkIdentity.rawValue
        case .adminDisableProviderForUser: AdminAction.unlinkIdentity.rawValue
        }
    }

    var subject: CognitoOperation.Subject {
        switch self {
        case .adminInitiateAuth: .signIn
        case .adminRespondToAuthChallenge: .challenge
        case .adminGetDevice, .adminListDevices: .device
        default: .account
        }
    }
}
