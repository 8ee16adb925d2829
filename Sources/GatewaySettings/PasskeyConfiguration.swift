package import Clients
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
    /// The origins of ``relyingParty``, if one of them lies outside its domain (WebAuthn §5.11.1); else empty.
    package let relatedOrigins: [String]
}

extension PasskeyConfiguration {
    static let keys: [ConfigurationKey] = [
        .passkeyDomain, .passkeyOrigins, .passkeyUserVerification, .passkeyAppleApps, .passkeyAndroidApps,
    ]

    init(_ settings: inout SettingsReader, publicURL: String, serviceName: String) {
        appleApps = settings.list(.passkeyAppleApps) ?? []
        for app in appleApps where !AppleApp.isID(app) {
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
            relatedOrigins = Self.related([publicURL] + (further ?? []), to: domain)
        } catch {
            (relyingParty, relatedOrigins) = (nil, [])
            // A test server with an IP address works without passkeys.
            guard configured != nil || further != nil else { return }
            settings.complain(error.key, error.words)
        }
    }
}

extension PasskeyConfiguration {
    private static func related(_ origins: [String], to domain: String) -> [String] {
        let websites = origins.filter { $0.hasPrefix("https://") }
        let isInside = websites.allSatisfy { origin in
            let host = URL(string: origin)?.host() ?? ""
            return host == domain || host.hasSuffix("." + domain)
        }
        return isInside ? [] : websites
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
        "Further origins that may use passkeys: other websites and iOS apps (`https://…`). Those outside the domain are named by `/.well-known/webauthn`."
    )
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
