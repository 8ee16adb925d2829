import Cryptography
import Foundation
import Providers

/// An Amazon Cognito user pool.
struct CognitoSettings: Sendable, Equatable {
    /// `COGNITO_CLIENT_IDS`: the app clients whose ID tokens are taken.
    ///
    /// List, no default, not secret.
    let clientIDs: [String]
    /// `COGNITO_REGION`.
    ///
    /// Text, needed, not secret.
    let region: String
    /// `COGNITO_USER_POOL_ID`.
    ///
    /// Text, needed, not secret.
    let userPoolID: String
    /// `COGNITO_TRUST_EMAIL`: takes the pool's verified addresses as proved.
    ///
    /// True or false, default false, not secret.
    let trustsEmail: Bool
    /// `COGNITO_ENDPOINT`: called in place of the pool's own.
    ///
    /// URL, no default, not secret.
    let endpoint: String?
    /// `COGNITO_AUTH_FLOW`: how names and passwords are brought to the pool.
    ///
    /// A word, default srp, not secret.
    let authFlow: CognitoProvider.AuthFlow
    /// `COGNITO_CLIENT_SECRET`: of the first client, by which names and passwords go.
    ///
    /// Text, no default, secret.
    let clientSecret: Secret?
    /// `COGNITO_CLIENT_SECRET_EXPIRES`: the day on which that secret ends.
    ///
    /// Date, no default (not known), not secret.
    let clientSecretExpires: Date?
    /// `COGNITO_SESSION_MINUTES`: how long the pool waits for the answer to a challenge.
    ///
    /// Number, default 3, not secret.
    let sessionMinutes: Int
}

extension CognitoSettings {
    static let keys: [ConfigurationKey] = [
        .cognitoClientIDs, .cognitoRegion, .cognitoUserPoolID, .cognitoTrustEmail, .cognitoEndpoint, .cognitoAuthFlow,
        .cognitoClientSecret, .cognitoClientSecretExpires, .cognitoSessionMinutes,
    ]

    init?(_ settings: inout SettingsReader, local: Bool) {
        let ids = settings.list(.cognitoClientIDs)
        trustsEmail = settings.flag(.cognitoTrustEmail)
        endpoint = settings.endpoint(.cognitoEndpoint, local: local)
        authFlow = settings.choice(.cognitoAuthFlow, else: CognitoProvider.AuthFlow.srp)
        clientSecret = settings.secret(.cognitoClientSecret)
        clientSecretExpires = settings.end(.cognitoClientSecretExpires, of: clientSecret, .cognitoClientSecret)
        sessionMinutes = settings.number(.cognitoSessionMinutes, in: 3...15, else: 3)
        guard let ids else { return nil }
        clientIDs = ids
        region = settings.required(.cognitoRegion)
        userPoolID = settings.required(.cognitoUserPoolID)
        if !region.isEmpty, !Self.isWord(region) {
            settings.complain(.cognitoRegion, "must be a region, such as eu-west-1")
        }
        if !userPoolID.isEmpty, !userPoolID.hasPrefix(region + "_") || !Self.isWord(userPoolID) {
            settings.complain(.cognitoUserPoolID, "must be the region, an underscore and the pool's name")
        }
    }

    private static func isWord(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
    }
}

extension ConfigurationKey {
    static let cognitoClientIDs = ConfigurationKey(
        "COGNITO_CLIENT_IDS", .cognito, .list, "App client ids whose ID tokens are taken. Turns the provider on.")
    static let cognitoRegion = ConfigurationKey("COGNITO_REGION", .cognito, .text, "The pool's AWS region.")
    static let cognitoUserPoolID = ConfigurationKey(
        "COGNITO_USER_POOL_ID", .cognito, .text, "The pool's id, which starts with the region.")
    static let cognitoTrustEmail = ConfigurationKey(
        "COGNITO_TRUST_EMAIL", .cognito, .flag, default: "false", "Takes the pool's verified addresses as proved.")
    static let cognitoEndpoint = ConfigurationKey(
        "COGNITO_ENDPOINT", .cognito, .url, shownAs: "the pool's own",
        "Called in place of the pool's own; the issuer stays.")
    static let cognitoAuthFlow = ConfigurationKey(
        "COGNITO_AUTH_FLOW", .cognito, .choice, default: "srp",
        "How names and passwords are brought to the pool: `srp`, `password`, `user_auth`, `custom`, `custom_srp`, or "
            + "`off`.")
    static let cognitoClientSecret = ConfigurationKey(
        "COGNITO_CLIENT_SECRET", .cognito, secret: true,
        "Of the first client, where it has one; names and passwords go by that client.")
    static let cognitoClientSecretExpires = ConfigurationKey(
        "COGNITO_CLIENT_SECRET_EXPIRES", .cognito, shownAs: "not known",
        "The day on which that secret ends, such as `2027-05-01`, UTC: [operations.md](operations.md#what-ends).")
    static let cognitoSessionMinutes = ConfigurationKey(
        "COGNITO_SESSION_MINUTES", .cognito, .number, default: "3",
        "How long the pool waits for the answer to a challenge: the client's authentication flow session duration.")
}
