import Foundation
import Settings
package import WebAuthn

/// The domain of passkeys, and the websites and apps that may use them.
package struct PasskeyConfiguration: Sendable {
    /// Nil if passkeys are unavailable, because the public address is not a domain.
    package let relyingParty: RelyingParty?
    /// `PASSKEY_APPLE_APPS`: ids of iOS and macOS apps, such as `TEAM123456.com.example.app`.
    ///
    /// List, no default.
    package let appleApps: [String]
    package let androidApps: [AndroidApp]

    /// An Android app: its package and the certificate that signs it.
    package struct AndroidApp: Sendable, Equatable {
        package let package: String
        /// SHA-256, 32 bytes.
        let fingerprint: [UInt8]

        /// Reads `com.example.app:AB:CD:…`, with the fingerprint as `keytool` prints it.
        init?(_ text: String) {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 33, let package = parts.first, Self.isPackage(package) else { return nil }
            let bytes = parts.dropFirst().compactMap { $0.utf8.count == 2 ? UInt8($0, radix: 16) : nil }
            guard bytes.count == 32 else { return nil }
            (self.package, fingerprint) = (String(package), bytes)
        }

        private static func isPackage(_ text: Substring) -> Bool {
            let names = text.split(separator: ".", omittingEmptySubsequences: false)
            return names.count > 1
                && names.allSatisfy { name in
                    !name.isEmpty
                        && name.utf8.allSatisfy { byte in
                            (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x5F
                        }
                }
        }

        /// The fingerprint as `keytool` prints it.
        package var fingerprintText: String {
            fingerprint.map { String(UInt16($0) + 0x100, radix: 16).dropFirst().uppercased() }.joined(separator: ":")
        }

        /// The app's origin, as the system reports it to websites.
        var origin: String {
            let text = Data(fingerprint).base64EncodedString()
            return "android:apk-key-hash:"
                + String(text.compactMap { $0 == "=" ? nil : $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
        }
    }
}

extension PasskeyConfiguration {
    static let keys: [ConfigurationKey] = [
        .passkeyDomain, .passkeyOrigins, .passkeyUserVerification, .passkeyAppleApps, .passkeyAndroidApps,
    ]

    init(_ settings: inout SettingsReader, publicURL: String, serviceName: String) {
        appleApps = settings.list(.passkeyAppleApps) ?? []
        for app in appleApps where !Self.isAppleApp(app) {
            settings.complain(.passkeyAppleApps, "\(app) is no app id: write the team's id, a dot and the bundle's id")
        }
        let androids = settings.list(.passkeyAndroidApps) ?? []
        androidApps = androids.compactMap(AndroidApp.init)
        for app in androids where AndroidApp(app) == nil {
            settings.complain(
                .passkeyAndroidApps,
                "\(app) is no app: write the package, a colon and the certificate's SHA-256 fingerprint as AB:CD:…")
        }
        let verification = settings.choice(.passkeyUserVerification, else: UserVerification.preferred)
        let configured = settings.text(.passkeyDomain)
        let domain = configured ?? URL(string: publicURL)?.host?.lowercased() ?? ""
        let further = settings.list(.passkeyOrigins)
        let origins = [publicURL] + (further ?? []) + androidApps.map(\.origin)
        do throws(RelyingPartyProblem) {
            relyingParty = try RelyingParty(
                id: domain, name: serviceName, origins: origins, userVerification: verification)
        } catch {
            relyingParty = nil
            // A test server with an IP address works without passkeys.
            guard configured != nil || further != nil else { return }
            settings.complain(error.key, error.words)
        }
    }

    private static func isAppleApp(_ text: String) -> Bool {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 10 else { return false }
        return text.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || ".-".utf8.contains(byte)
        }
    }
}

extension RelyingPartyProblem {
    fileprivate var key: ConfigurationKey {
        if case .originMalformed = self { .passkeyOrigins } else { .passkeyDomain }
    }

    fileprivate var words: String {
        switch self {
        case .originMalformed(let origin): "\(origin) is no origin: write https://host or android:apk-key-hash:…"
        case .idMalformed: "must be a domain in lower case, such as example.com"
        case .nameMissing, .originsMissing, .rootsMissing: "can't be used"
        }
    }
}

extension ConfigurationKey {
    static let passkeyDomain = ConfigurationKey(
        "PASSKEY_DOMAIN", .passkeys, shownAs: "the host of `PUBLIC_URL`", example: .form("your-company.com"),
        "The relying party id of passkeys: the public host or a parent of it. A change makes every passkey useless."
    )
    static let passkeyOrigins = ConfigurationKey(
        "PASSKEY_ORIGINS", .passkeys, .list, shownAs: "`PUBLIC_URL` alone",
        example: .form("https://www.your-company.com"),
        "Further origins that may use passkeys: other websites and iOS apps of the domain (`https://…`).")
    static let passkeyUserVerification = ConfigurationKey(
        "PASSKEY_USER_VERIFICATION", .passkeys, .choice, default: "preferred",
        "User verification by the authenticator (PIN, fingerprint, face): `required`, `preferred`, `discouraged`. Only a verified passkey counts as two factors."
    )
    static let passkeyAppleApps = ConfigurationKey(
        "PASSKEY_APPLE_APPS", .passkeys, .list, shownAs: "none", example: .form("TEAM123456.com.example.app"),
        "Apps for `/.well-known/apple-app-site-association`, such as `TEAM123456.com.example.app`.")
    static let passkeyAndroidApps = ConfigurationKey(
        "PASSKEY_ANDROID_APPS", .passkeys, .list, shownAs: "none",
        example: .form(
            "com.example.app:14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"
        ),
        "Apps for `/.well-known/assetlinks.json`: the package, a colon and the SHA-256 fingerprint as `AB:CD:…`.")
}
