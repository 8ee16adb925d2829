/// The simulated public operations, with the members of their requests.
///
/// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/
enum UserPoolOperation: String, Sendable, CaseIterable {
    case initiateAuth = "InitiateAuth"
    case respondToAuthChallenge = "RespondToAuthChallenge"
    case associateSoftwareToken = "AssociateSoftwareToken"
    case verifySoftwareToken = "VerifySoftwareToken"
    case forgotPassword = "ForgotPassword"
    case confirmForgotPassword = "ConfirmForgotPassword"
    case confirmSignUp = "ConfirmSignUp"
    case resendConfirmationCode = "ResendConfirmationCode"
    case revokeToken = "RevokeToken"

    private static let prefix = "AWSCognitoIdentityProviderService."

    init?(target: String) {
        guard target.hasPrefix(Self.prefix) else { return nil }
        self.init(rawValue: String(target.dropFirst(Self.prefix.count)))
    }

    var required: Set<String> {
        switch self {
        case .initiateAuth: ["AuthFlow", "ClientId"]
        case .respondToAuthChallenge: ["ChallengeName", "ClientId"]
        // Cognito also accepts an access token, which the simulator does not support.
        case .associateSoftwareToken: ["Session"]
        case .verifySoftwareToken: ["Session", "UserCode"]
        case .forgotPassword, .resendConfirmationCode: ["ClientId", "Username"]
        case .confirmForgotPassword: ["ClientId", "Username", "ConfirmationCode", "Password"]
        case .confirmSignUp: ["ClientId", "Username", "ConfirmationCode"]
        case .revokeToken: ["ClientId", "Token"]
        }
    }

    var optional: Set<String> {
        let common: Set<String> = ["ClientMetadata", "AnalyticsMetadata", "UserContextData"]
        return switch self {
        case .initiateAuth: common.union(["AuthParameters", "Session"])
        case .respondToAuthChallenge: common.union(["ChallengeResponses", "Session"])
        case .associateSoftwareToken: []
        case .verifySoftwareToken: ["FriendlyDeviceName"]
        case .forgotPassword, .resendConfirmationCode, .confirmForgotPassword: common.union(["SecretHash"])
        case .confirmSignUp: common.union(["SecretHash", "ForceAliasCreation", "Session"])
        case .revokeToken: ["ClientSecret"]
        }
    }
}
