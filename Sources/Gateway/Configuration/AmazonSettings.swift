import Cryptography
import Foundation

/// Login with Amazon.
struct AmazonSettings: Sendable, Equatable {
    /// `AMAZON_CLIENT_IDS`: the apps whose access tokens are taken.
    ///
    /// List, no default, not secret.
    let clientIDs: [String]
    /// `AMAZON_APP_ID`: the application, compared with the token's when set.
    ///
    /// Text, no default, not secret.
    let appID: String?
    /// `AMAZON_CLIENT_SECRET`: to exchange codes, those that browsers bring among them.
    ///
    /// Text, no default, secret.
    let clientSecret: Secret?
    /// `AMAZON_CLIENT_SECRET_EXPIRES`: the day on which that secret ends.
    ///
    /// Date, no default (not known), not secret.
    let clientSecretExpires: Date?
    /// `AMAZON_REGION`.
    ///
    /// Choice, default `na`, not secret.
    let region: AmazonRegionName
    /// `AMAZON_ACCOUNT_NAME`: the developer company, whose user ids these are.
    ///
    /// Text, default `amazon`, not secret.
    let accountName: String
    /// `AMAZON_ISSUERS`: what a token's information may name as its issuer.
    ///
    /// List, default `https://www.amazon.com`, not secret.
    let issuers: [String]?
    /// `AMAZON_ENDPOINT`: called in place of Amazon's own.
    ///
    /// URL, no default, not secret.
    let endpoint: String?
    /// `AMAZON_MAXIMUM_AGE_SECONDS`: older access tokens are refused.
    ///
    /// Seconds, no default, not secret.
    let maximumAgeSeconds: Int?
}

/// Where Amazon answers.
enum AmazonRegionName: String, Sendable, CaseIterable {
    case na, eu, fe
}

extension AmazonSettings {
    static let keys: [ConfigurationKey] = [
        .amazonClientIDs, .amazonAppID, .amazonClientSecret, .amazonClientSecretExpires, .amazonRegion,
        .amazonAccountName, .amazonIssuers, .amazonEndpoint, .amazonMaximumAge,
    ]

    init?(_ settings: inout SettingsReader, local: Bool) {
        let ids = settings.list(.amazonClientIDs)
        appID = settings.text(.amazonAppID)
        clientSecret = settings.secret(.amazonClientSecret)
        clientSecretExpires = settings.end(.amazonClientSecretExpires, of: clientSecret, .amazonClientSecret)
        region = settings.choice(.amazonRegion, else: AmazonRegionName.na)
        accountName = settings.text(.amazonAccountName) ?? ""
        issuers = settings.list(.amazonIssuers)
        endpoint = settings.endpoint(.amazonEndpoint, local: local)
        let age = settings.number(.amazonMaximumAge, in: 60...86_400, else: 0)
        maximumAgeSeconds = age == 0 ? nil : age
        guard let ids else { return nil }
        clientIDs = ids
    }
}

extension ConfigurationKey {
    static let amazonClientIDs = ConfigurationKey(
        "AMAZON_CLIENT_IDS", .amazon, .list,
        "Client ids whose access tokens are taken; with a secret, of several not the first's. Turns the provider on.")
    static let amazonAppID = ConfigurationKey(
        "AMAZON_APP_ID", .amazon, shownAs: "not compared", "The application id that tokens must name.")
    static let amazonClientSecret = ConfigurationKey(
        "AMAZON_CLIENT_SECRET", .amazon, secret: true,
        "To exchange authorization codes; browsers can't sign in without it.")
    static let amazonClientSecretExpires = ConfigurationKey(
        "AMAZON_CLIENT_SECRET_EXPIRES", .amazon, shownAs: "not known",
        "The day on which that secret ends, such as `2027-05-01`, UTC: [operations.md](operations.md#what-ends).")
    static let amazonRegion = ConfigurationKey("AMAZON_REGION", .amazon, .choice, default: "na", "`na`, `eu` or `fe`.")
    static let amazonAccountName = ConfigurationKey(
        "AMAZON_ACCOUNT_NAME", .amazon, default: "amazon",
        "The developer company whose user ids these are; never change it once people have signed in.")
    static let amazonIssuers = ConfigurationKey(
        "AMAZON_ISSUERS", .amazon, .list, default: "https://www.amazon.com",
        "What the information on a token may name as its issuer; Amazon doesn't say whether its regions' differ.")
    static let amazonEndpoint = ConfigurationKey(
        "AMAZON_ENDPOINT", .amazon, .url, shownAs: "the region's own", "Called in place of Amazon's own.")
    static let amazonMaximumAge = ConfigurationKey(
        "AMAZON_MAXIMUM_AGE_SECONDS", .amazon, .number, shownAs: "600",
        "Seconds after which an access token is too old.")
}
