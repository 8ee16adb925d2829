import Cryptography
import Foundation

/// Sign in with Apple.
struct AppleSettings: Sendable, Equatable {
    /// `APPLE_NATIVE_CLIENT_IDS`: bundle ids of native apps.
    ///
    /// List, no default, not secret.
    let nativeClientIDs: [String]
    /// `APPLE_WEB_CLIENT_IDS`: services ids of websites.
    ///
    /// List, no default, not secret.
    let webClientIDs: [String]
    /// `APPLE_TEAM_ID`: the developer team.
    ///
    /// Text, needed, not secret.
    let teamID: String
    /// `APPLE_KEY_ID`: the key's id.
    ///
    /// Text, no default (codes aren't exchanged), not secret.
    let keyID: String?
    /// `APPLE_PRIVATE_KEY` or `APPLE_PRIVATE_KEY_FILE`: the `.p8` key.
    ///
    /// Text or file, no default, secret.
    let privateKey: Secret?
    /// `APPLE_ENDPOINT`: called in place of appleid.apple.com.
    ///
    /// URL, no default, not secret.
    let endpoint: String?
    /// `APPLE_TOKEN_CHECK`: whether stored refresh tokens are checked once a day.
    ///
    /// True or false, default true, not secret.
    let checksTokens: Bool
    /// `APPLE_ENFORCE_CODE_HASH`: whether an app's token that doesn't fit the code beside it is refused.
    ///
    /// True or false, default false, not secret.
    let enforcesCodeHash: Bool
    /// `APPLE_TRANSFER_FROM_TEAM` and `APPLE_TRANSFER_UNTIL`: people of an app that came from that team are known again.
    ///
    /// Text and a date, no default (nobody is), not secret.
    let arrival: Arrival?

    struct Arrival: Sendable, Equatable {
        let fromTeam: String
        let until: Date
    }
}

extension AppleSettings {
    static let keys: [ConfigurationKey] = [
        .appleNativeClientIDs, .appleWebClientIDs, .appleTeamID, .appleKeyID, .applePrivateKey, .applePrivateKeyFile,
        .appleEndpoint, .appleTokenCheck, .appleEnforceCodeHash, .appleTransferFromTeam, .appleTransferUntil,
    ]

    init?(_ settings: inout SettingsReader, local: Bool) {
        let native = settings.list(.appleNativeClientIDs)
        let web = settings.list(.appleWebClientIDs)
        let complaints = settings.complaints.count
        let key = Self.readKey(&settings)
        let isKeyFaulty = settings.complaints.count > complaints
        endpoint = settings.endpoint(.appleEndpoint, local: local)
        keyID = settings.text(.appleKeyID)
        checksTokens = settings.flag(.appleTokenCheck)
        enforcesCodeHash = settings.flag(.appleEnforceCodeHash)
        arrival = Self.readArrival(&settings)
        guard native != nil || web != nil else { return nil }
        teamID = settings.required(.appleTeamID)
        nativeClientIDs = native ?? []
        webClientIDs = web ?? []
        privateKey = key
        if !isKeyFaulty, (keyID == nil) != (privateKey == nil) {
            settings.complain(
                keyID == nil ? .appleKeyID : .applePrivateKey, "is missing: the key's id and the key go together")
        }
    }

    private static func readArrival(_ settings: inout SettingsReader) -> Arrival? {
        let team = settings.text(.appleTransferFromTeam)
        let before = settings.complaints.count
        let until = settings.day(.appleTransferUntil)
        guard settings.complaints.count == before else { return nil }
        guard let team, let until else {
            if (team == nil) != (until == nil) {
                settings.complain(
                    team == nil ? .appleTransferFromTeam : .appleTransferUntil,
                    "is missing: the team and the end of its transfer go together")
            }
            return nil
        }
        return Arrival(fromTeam: team, until: until)
    }

    private static func readKey(_ settings: inout SettingsReader) -> Secret? {
        let text = settings.text(.applePrivateKey)
        let file = settings.text(.applePrivateKeyFile)
        if text != nil, file != nil {
            settings.complain(.applePrivateKeyFile, "is set beside APPLE_PRIVATE_KEY: keep one of them")
        }
        guard let pem = text ?? file.flatMap(SecretFile.contents) else {
            if let file { settings.complain(.applePrivateKeyFile, "\(file) can't be read") }
            return nil
        }
        let unfolded = pem.split(separator: "\\n", omittingEmptySubsequences: false).joined(separator: "\n")
        guard unfolded.contains("-----BEGIN PRIVATE KEY-----"), (try? PrivateKey(pem: unfolded)) != nil else {
            settings.complain(
                text == nil ? .applePrivateKeyFile : .applePrivateKey,
                "is no PKCS #8 private key in PEM, as in Apple's .p8 file")
            return nil
        }
        return Secret(unfolded)
    }
}

extension ConfigurationKey {
    static let appleNativeClientIDs = ConfigurationKey(
        "APPLE_NATIVE_CLIENT_IDS", .apple, .list, "Bundle ids of native apps. Either list turns the provider on.")
    static let appleWebClientIDs = ConfigurationKey(
        "APPLE_WEB_CLIENT_IDS", .apple, .list, "Services ids of websites; browsers are sent as the first.")
    static let appleTeamID = ConfigurationKey("APPLE_TEAM_ID", .apple, .text, "The developer team's id.")
    static let appleKeyID = ConfigurationKey(
        "APPLE_KEY_ID", .apple, .text,
        "The id of the key below; without both, codes aren't exchanged and browsers can't sign in.")
    static let applePrivateKey = ConfigurationKey(
        "APPLE_PRIVATE_KEY", .apple, secret: true, "The text of the `.p8` file in one line, `\\n` where its lines end.")
    static let applePrivateKeyFile = ConfigurationKey(
        "APPLE_PRIVATE_KEY_FILE", .apple, .file, "The path of the `.p8` file instead; mode 600.")
    static let appleEndpoint = ConfigurationKey(
        "APPLE_ENDPOINT", .apple, .url, shownAs: "Apple's own",
        "Called in place of `https://appleid.apple.com`; the issuer stays.")
    static let appleTransferFromTeam = ConfigurationKey(
        "APPLE_TRANSFER_FROM_TEAM", .apple, .text,
        "The team that an app came from: its people are let in as who they were. Needs the next key.")
    static let appleTransferUntil = ConfigurationKey(
        "APPLE_TRANSFER_UNTIL", .apple, .text,
        "When that ends, a date such as `2026-12-31`, UTC; Apple tells who somebody was for 60 days.")
    static let appleEnforceCodeHash = ConfigurationKey(
        "APPLE_ENFORCE_CODE_HASH", .apple, .flag, default: "false",
        "Refuse an app's token whose `c_hash` doesn't fit the code beside it, which is else only counted.")
    static let appleTokenCheck = ConfigurationKey(
        "APPLE_TOKEN_CHECK", .apple, .flag, default: "true",
        "Ask Apple once a day about each stored refresh token; a dead one ends its sessions. Needs the key.")
}
