import Cryptography

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
}

extension AppleSettings {
    static let keys: [ConfigurationKey] = [
        .appleNativeClientIDs, .appleWebClientIDs, .appleTeamID, .appleKeyID, .applePrivateKey, .applePrivateKeyFile,
        .appleEndpoint,
    ]

    init?(_ settings: inout SettingsReader, local: Bool) {
        let native = settings.list(.appleNativeClientIDs)
        let web = settings.list(.appleWebClientIDs)
        let key = Self.readKey(&settings)
        endpoint = settings.endpoint(.appleEndpoint, local: local)
        keyID = settings.text(.appleKeyID)
        guard native != nil || web != nil else { return nil }
        teamID = settings.required(.appleTeamID)
        nativeClientIDs = native ?? []
        webClientIDs = web ?? []
        privateKey = key
        if (keyID == nil) != (privateKey == nil) {
            settings.complain(
                keyID == nil ? .appleKeyID : .applePrivateKey, "is missing: the key's id and the key go together")
        }
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
}
