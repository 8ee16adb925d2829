/// The operations of Cognito user pools (API version 2016-04-18) that need no signature.
enum CognitoOperation: String, CaseIterable, Sendable {
    // Sign-in
    case initiateAuth = "InitiateAuth"
    case respondToAuthChallenge = "RespondToAuthChallenge"
    // Sign-up
    case signUp = "SignUp"
    case confirmSignUp = "ConfirmSignUp"
    case resendConfirmationCode = "ResendConfirmationCode"
    // Password
    case forgotPassword = "ForgotPassword"
    case confirmForgotPassword = "ConfirmForgotPassword"
    case changePassword = "ChangePassword"
    // Tokens
    case getTokensFromRefreshToken = "GetTokensFromRefreshToken"
    case revokeToken = "RevokeToken"
    /// Apps call it with their secret; AWS also takes a signature.
    case getDerivedToken = "GetDerivedToken"
    case globalSignOut = "GlobalSignOut"
    // Sessions
    case listUserSessions = "ListUserSessions"
    case revokeUserSession = "RevokeUserSession"
    // Profile
    case getUser = "GetUser"
    case updateUserAttributes = "UpdateUserAttributes"
    case deleteUserAttributes = "DeleteUserAttributes"
    case getUserAttributeVerificationCode = "GetUserAttributeVerificationCode"
    case verifyUserAttribute = "VerifyUserAttribute"
    case deleteUser = "DeleteUser"
    // Second factors
    case associateSoftwareToken = "AssociateSoftwareToken"
    case verifySoftwareToken = "VerifySoftwareToken"
    case setUserMFAPreference = "SetUserMFAPreference"
    case setUserSettings = "SetUserSettings"
    case getUserAuthFactors = "GetUserAuthFactors"
    // Devices
    case confirmDevice = "ConfirmDevice"
    case getDevice = "GetDevice"
    case listDevices = "ListDevices"
    case updateDeviceStatus = "UpdateDeviceStatus"
    case forgetDevice = "ForgetDevice"
    // Passkeys
    case startWebAuthnRegistration = "StartWebAuthnRegistration"
    case completeWebAuthnRegistration = "CompleteWebAuthnRegistration"
    case listWebAuthnCredentials = "ListWebAuthnCredentials"
    case deleteWebAuthnCredential = "DeleteWebAuthnCredential"

    /// The service in the target header.
    private static let service = "AWSCognitoIdentityProviderService."

    /// The operation in `X-Amz-Target`; nil for another service.
    static func name(inTarget target: String) -> String? {
        target.hasPrefix(service) ? String(target.dropFirst(service.count)) : nil
    }

    /// - Parameter target: `X-Amz-Target`, such as `AWSCognitoIdentityProviderService.GetUser`.
    init?(target: String) {
        guard let name = Self.name(inTarget: target) else { return nil }
        self.init(rawValue: name)
    }

    /// The action in metrics and in the audit log: the same as for this work through other doors.
    var action: String {
        switch self {
        case .initiateAuth: "sign_in"
        case .respondToAuthChallenge: "continue_sign_in"
        case .signUp: "sign_up"
        case .confirmSignUp: "confirm_sign_up"
        case .resendConfirmationCode: "resend_code"
        case .forgotPassword: "forgot_password"
        case .confirmForgotPassword: "reset_password"
        case .changePassword: "change_password"
        case .getTokensFromRefreshToken: "refresh"
        case .revokeToken: "revoke"
        case .getDerivedToken: "exchange_token"
        case .globalSignOut: "sign_out"
        case .listUserSessions: "list_sessions"
        case .revokeUserSession: "end_session"
        case .getUser: "account"
        case .updateUserAttributes, .deleteUserAttributes: "change_account"
        case .getUserAttributeVerificationCode: "add_address"
        case .verifyUserAttribute: "confirm_address"
        case .deleteUser: "delete_account"
        case .associateSoftwareToken, .startWebAuthnRegistration: "add_factor"
        case .verifySoftwareToken, .completeWebAuthnRegistration: "confirm_factor"
        case .setUserMFAPreference, .setUserSettings: "change_factor"
        case .getUserAuthFactors, .listWebAuthnCredentials: "list_factors"
        case .deleteWebAuthnCredential: "remove_factor"
        case .confirmDevice: "confirm_device"
        case .getDevice, .listDevices: "list_devices"
        case .updateDeviceStatus: "change_device"
        case .forgetDevice: "forget_device"
        }
    }

    /// The subject of a refusal: the same refusal has another name for each.
    enum Subject {
        case signIn, challenge, signUpCode, resetCode, attributeCode, refresh, account, device
    }

    var subject: Subject {
        switch self {
        case .initiateAuth, .signUp: .signIn
        case .respondToAuthChallenge: .challenge
        case .confirmSignUp, .resendConfirmationCode: .signUpCode
        case .forgotPassword, .confirmForgotPassword: .resetCode
        case .getUserAttributeVerificationCode, .verifyUserAttribute, .updateUserAttributes: .attributeCode
        case .getTokensFromRefreshToken, .revokeToken: .refresh
        case .confirmDevice, .getDevice, .listDevices, .updateDeviceStatus, .forgetDevice: .device
        case .changePassword, .globalSignOut, .getDerivedToken, .listUserSessions, .revokeUserSession, .getUser,
            .deleteUserAttributes, .deleteUser, .associateSoftwareToken, .verifySoftwareToken, .setUserMFAPreference,
            .setUserSettings,
            .getUserAuthFactors, .startWebAuthnRegistration, .completeWebAuthnRegistration, .listWebAuthnCredentials,
            .deleteWebAuthnCredential:
            .account
        }
    }
}
