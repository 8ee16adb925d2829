import Cryptography
import FoundationEssentials
import Settings

extension ProviderID {
    package static let apple = ProviderID(known: "apple")
}

extension AppleProvider: ConfigurableProvider {
    /// Apple's entry in ``ProviderList/all``.
    package static let descriptor = ProviderDescriptor(
        .apple, AppleProvider.self, page: "docs/providers/apple.md",
        keys: [
            .appleNativeClientIDs, .appleWebClientIDs, .appleTeamID, .appleKeyID, .applePrivateKey,
            .applePrivateKeyFile,
            .appleEndpoint, .appleTokenCheck, .appleEnforceCodeHash, .appleTransferFromTeam, .appleTransferUntil,
        ], brand: brand
    ) { settings, conditions in
        read(&settings, conditions).map { configuration in
            ConfiguredProvider(
                .apple, AppleProvider.self, configuration,
                credentials: configuration.privateKey == nil ? [] : [.init(.clientKey, note: configuration.keyID)],
                productionWarnings: configuration.privateKey == nil ? [withoutKey] : [])
        }
    }

    private static let withoutKey = """
        Apple has no key: a deleted account is not revoked at Apple, which the App Store requires, and a withdrawn \
        consent is not noticed. Set APPLE_KEY_ID and APPLE_PRIVATE_KEY_FILE
        """

    private static func read(
        _ settings: inout SettingsReader, _ conditions: ProviderConditions
    ) -> Configuration? {
        let native = settings.list(.appleNativeClientIDs)
        let web = settings.list(.appleWebClientIDs)
        let complaints = settings.complaints.count
        let key = readKey(&settings)
        let isKeyFaulty = settings.complaints.count > complaints
        let endpoint = settings.endpoint(.appleEndpoint, local: conditions.allowsLocal)
        let keyID = settings.text(.appleKeyID)
        let checksTokens = settings.flag(.appleTokenCheck)
        let enforcesCodeHash = settings.flag(.appleEnforceCodeHash)
        let arrival = readArrival(&settings)
        guard native != nil || web != nil else { return nil }
        var configuration = Configuration(
            teamID: settings.required(.appleTeamID), nativeClientIDs: native ?? [])
        (configuration.webClientIDs, configuration.endpoint) = (web ?? [], endpoint)
        (configuration.keyID, configuration.privateKey) = (keyID, key)
        (configuration.checksTokens, configuration.enforcesCodeHash) = (checksTokens, enforcesCodeHash)
        (configuration.arrival, configuration.requiresNonce) = (arrival, conditions.requiresNonce)
        if !isKeyFaulty, (keyID == nil) != (key == nil) {
            settings.complain(
                keyID == nil ? .appleKeyID : .applePrivateKey, "is missing: the key's id and the key go together")
        }
        return configuration
    }

    private static func readArrival(_ settings: inout SettingsReader) -> (fromTeam: String, until: Date)? {
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
        return (team, until)
    }

    private static func readKey(_ settings: inout SettingsReader) -> PrivateKey? {
        let text = settings.text(.applePrivateKey)
        let file = settings.text(.applePrivateKeyFile)
        if text != nil, file != nil {
            settings.complain(.applePrivateKeyFile, "is set beside APPLE_PRIVATE_KEY: keep one of them")
        }
        guard let pem = text ?? file.flatMap({ SecretFile.contents(of: $0) }) else {
            if let file { settings.complain(.applePrivateKeyFile, "\(file) \(SecretFile.fault(of: file))") }
            return nil
        }
        let unfolded = pem.split(separator: "\\n", omittingEmptySubsequences: false).joined(separator: "\n")
        guard unfolded.contains("-----BEGIN PRIVATE KEY-----"), let key = try? PrivateKey(pem: unfolded) else {
            settings.complain(
                text == nil ? .applePrivateKeyFile : .applePrivateKey,
                "is no PKCS #8 private key in PEM, as in Apple's .p8 file")
            return nil
        }
        return key
    }

    private static let brand = ProviderBrand(
        .apple,
        icon: ProviderBrand.icon(
            "M12.152 6.896c-.948 0-2.415-1.078-3.96-1.04-2.04.027-3.91 1.183-4.961 3.014-2.117 3.675-.546 9.103 1.519 12.09 1.013 1.454 2.208 3.09 3.792 3.039 1.52-.065 2.09-.987 3.935-.987 1.831 0 2.35.987 3.96.948 1.637-.026 2.676-1.48 3.676-2.948 1.156-1.688 1.636-3.325 1.662-3.415-.039-.013-3.182-1.221-3.22-4.857-.026-3.04 2.48-4.494 2.597-4.559-1.429-2.09-3.623-2.324-4.39-2.376-2-.156-3.675 1.09-4.61 1.09zM15.53 3.83c.843-1.012 1.4-2.427 1.245-3.83-1.207.052-2.662.805-3.532 1.818-.78.896-1.454 2.338-1.273 3.714 1.338.104 2.715-.688 3.559-1.701"
        ),
        light: .init(border: "#000", background: "#000", text: "#fff", hoverBorder: "#333", hoverBackground: "#333"),
        dark: .init(
            border: "#fff", background: "#fff", text: "#000", hoverBorder: "#e4e4e4", hoverBackground: "#e4e4e4"),
        labels: [
            "en": "Sign in with Apple", "zh-Hans": "通过 Apple 登录", "ja": "Appleでサインイン", "ru": "Вход с Apple",
            "de": "Mit Apple anmelden",
        ], isNeverSmaller: true)
}

extension ConfigurationKey.Group {
    fileprivate static let apple = Self("Apple", "a list of client ids turns it on")
}

extension ConfigurationKey {
    fileprivate static let appleNativeClientIDs = ConfigurationKey(
        "APPLE_NATIVE_CLIENT_IDS", .apple, .list, example: .set("com.example.app"),
        "Bundle ids of native apps. Either list enables the provider.")
    fileprivate static let appleWebClientIDs = ConfigurationKey(
        "APPLE_WEB_CLIENT_IDS", .apple, .list, example: .set("com.example.web"),
        "Services ids of websites. The first one is the client id of browser sign-ins.")
    fileprivate static let appleTeamID = ConfigurationKey(
        "APPLE_TEAM_ID", .apple, .text, example: .madeUp("TEAM123456"), "The developer team's id.")
    fileprivate static let appleKeyID = ConfigurationKey(
        "APPLE_KEY_ID", .apple, .text, example: .madeUp("DEVKEY1234"),
        "The id of the private key. Without both, the gateway cannot exchange codes, and browsers cannot sign in.")
    fileprivate static let applePrivateKey = ConfigurationKey(
        "APPLE_PRIVATE_KEY", .apple, secret: true, example: .set("generate-me"),
        "The text of the `.p8` file in one line, `\\n` where its lines end.")
    fileprivate static let applePrivateKeyFile = ConfigurationKey(
        "APPLE_PRIVATE_KEY_FILE", .apple, .file, namesSecretFile: true, example: .form("var/apple.p8"),
        "The path of the `.p8` file, instead of its text; mode 600.")
    fileprivate static let appleEndpoint = ConfigurationKey(
        "APPLE_ENDPOINT", .apple, .url, shownAs: "Apple's own", example: .set("http://apple.localhost:8081/apple"),
        "Replaces `https://appleid.apple.com` in calls; the issuer stays.")
    fileprivate static let appleTransferFromTeam = ConfigurationKey(
        "APPLE_TRANSFER_FROM_TEAM", .apple, .text, shownAs: "none", example: .form("TEAM123456"),
        "The developer team that transferred an app here. Its users keep their accounts. Needs the next key.")
    fileprivate static let appleTransferUntil = ConfigurationKey(
        "APPLE_TRANSFER_UNTIL", .apple, .text, shownAs: "none", example: .form("2026-12-31"),
        "The end of the transfer, a UTC date such as `2026-12-31`. Apple's tokens carry the old subject for 60 days.")
    fileprivate static let appleEnforceCodeHash = ConfigurationKey(
        "APPLE_ENFORCE_CODE_HASH", .apple, .flag, default: "false",
        "Refuses an app's token if its `c_hash` does not match the posted code. Otherwise the mismatch is only counted."
    )
    fileprivate static let appleTokenCheck = ConfigurationKey(
        "APPLE_TOKEN_CHECK", .apple, .flag, default: "true",
        "Checks each stored refresh token with Apple once a day. A revoked one ends its sessions. Needs the key.")
}
