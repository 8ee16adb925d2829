import Cryptography
import Foundation

/// Microsoft Entra, workforce and external tenants.
struct MicrosoftSettings: Sendable, Equatable {
    /// `MICROSOFT_CLIENT_IDS`: the apps whose ID tokens are taken.
    ///
    /// List, no default, not secret.
    let clientIDs: [String]
    /// `MICROSOFT_TENANT_IDS`: the tenants whose people may sign in.
    ///
    /// List of GUIDs, no default, not secret.
    let tenantIDs: [String]
    /// `MICROSOFT_EXTERNAL_TENANT_IDS`: external (customer) tenants.
    ///
    /// List of GUIDs, no default, not secret.
    let externalTenantIDs: [String]
    /// `MICROSOFT_TRUST_TENANT_EMAIL`: takes the addresses of external tenants as proved.
    ///
    /// True or false, default false.
    let trustsTenantEmail: Bool
    /// `MICROSOFT_ENDPOINT`: called in place of Microsoft's own.
    ///
    /// URL, no default, not secret.
    let endpoint: String?
    /// `MICROSOFT_WEB_TENANT_ID`: the tenant that browsers are sent to.
    ///
    /// GUID, default the first one listed, not secret.
    let webTenantID: String?
    /// `MICROSOFT_CLIENT_SECRET`: to exchange the codes that browsers bring.
    ///
    /// Text, no default, secret.
    let clientSecret: Secret?
    /// `MICROSOFT_CLIENT_SECRET_EXPIRES`: the day on which that secret ends.
    ///
    /// Date, no default (not known), not secret.
    let clientSecretExpires: Date?
    /// `MICROSOFT_NATIVE_CLIENT_ID`: the app that signs people in with a name at an external tenant.
    ///
    /// Text, no default, not secret.
    let nativeClientID: String?
    /// `MICROSOFT_NATIVE_AUTHORITY`: the external tenant's own address, such as
    /// `https://ducks.ciamlogin.com/ducks.onmicrosoft.com`.
    ///
    /// URL, needed with the key above, not secret.
    let nativeAuthority: String?
    /// `MICROSOFT_NATIVE_SIGN_UP`: begins a sign-up with a name that nobody has.
    ///
    /// True or false, default false, not secret.
    let allowsNativeSignUp: Bool
}

extension MicrosoftSettings {
    static let keys: [ConfigurationKey] = [
        .microsoftClientIDs, .microsoftTenantIDs, .microsoftExternalTenantIDs, .microsoftTrustTenantEmail,
        .microsoftEndpoint, .microsoftWebTenantID, .microsoftClientSecret, .microsoftClientSecretExpires,
        .microsoftNativeClientID, .microsoftNativeAuthority, .microsoftNativeSignUp,
    ]

    init?(_ settings: inout SettingsReader, local: Bool) {
        let ids = settings.list(.microsoftClientIDs)
        let before = settings.complaints.count
        tenantIDs = settings.identifiers(.microsoftTenantIDs) ?? []
        externalTenantIDs = settings.identifiers(.microsoftExternalTenantIDs) ?? []
        let tenantsReadWell = settings.complaints.count == before
        trustsTenantEmail = settings.flag(.microsoftTrustTenantEmail)
        endpoint = settings.endpoint(.microsoftEndpoint, local: local)
        webTenantID = settings.identifier(.microsoftWebTenantID)
        clientSecret = settings.secret(.microsoftClientSecret)
        clientSecretExpires = settings.end(
            .microsoftClientSecretExpires, of: clientSecret, .microsoftClientSecret)
        nativeClientID = settings.text(.microsoftNativeClientID)
        nativeAuthority = settings.text(.microsoftNativeAuthority)
        allowsNativeSignUp = settings.flag(.microsoftNativeSignUp)
        guard let ids else {
            if nativeClientID != nil { settings.complain(.microsoftNativeClientID, "needs MICROSOFT_CLIENT_IDS") }
            return nil
        }
        clientIDs = ids
        guard tenantsReadWell else { return }
        checkNative(&settings)
        if tenantIDs.isEmpty, externalTenantIDs.isEmpty {
            settings.complain(.microsoftTenantIDs, "is missing: name the tenants whose people may sign in")
        }
        if let webTenantID, !(tenantIDs + externalTenantIDs).contains(webTenantID) {
            settings.complain(
                .microsoftWebTenantID, "must be among MICROSOFT_TENANT_IDS or MICROSOFT_EXTERNAL_TENANT_IDS")
        }
    }
}

extension MicrosoftSettings {
    private func checkNative(_ settings: inout SettingsReader) {
        guard nativeClientID != nil else {
            if nativeAuthority != nil {
                settings.complain(.microsoftNativeAuthority, "needs MICROSOFT_NATIVE_CLIENT_ID")
            }
            return
        }
        guard let nativeAuthority else { return settings.complain(.microsoftNativeAuthority, "is missing") }
        let parts = nativeAuthority.split(separator: "/", omittingEmptySubsequences: true)
        guard nativeAuthority.hasPrefix("https://"), parts.count == 3 else {
            return settings.complain(
                .microsoftNativeAuthority, "must be https://host/tenant, such as https://ducks.ciamlogin.com/<GUID>")
        }
        let tenant = parts[2].lowercased()
        let isGUID = tenant.utf8.count == 36 && !tenant.contains(".")
        guard isGUID ? externalTenantIDs.contains(tenant) : externalTenantIDs.count == 1 else {
            return settings.complain(
                .microsoftNativeAuthority,
                "must name one of MICROSOFT_EXTERNAL_TENANT_IDS; with several of them by its GUID")
        }
    }
}

extension ConfigurationKey {
    static let microsoftClientIDs = ConfigurationKey(
        "MICROSOFT_CLIENT_IDS", .microsoft, .list, "Application ids whose ID tokens are taken. Turns the provider on.")
    static let microsoftTenantIDs = ConfigurationKey(
        "MICROSOFT_TENANT_IDS", .microsoft, .list, "GUIDs of the workforce tenants whose people may sign in.")
    static let microsoftExternalTenantIDs = ConfigurationKey(
        "MICROSOFT_EXTERNAL_TENANT_IDS", .microsoft, .list,
        "GUIDs of external (customer) tenants. One of the two lists is needed.")
    static let microsoftTrustTenantEmail = ConfigurationKey(
        "MICROSOFT_TRUST_TENANT_EMAIL", .microsoft, .flag, default: "false",
        "Takes the addresses of external tenants as proved where `xms_edov` is not false.")
    static let microsoftEndpoint = ConfigurationKey(
        "MICROSOFT_ENDPOINT", .microsoft, .url, shownAs: "Microsoft's own",
        "Called in place of Microsoft's own; the issuers stay.")
    static let microsoftWebTenantID = ConfigurationKey(
        "MICROSOFT_WEB_TENANT_ID", .microsoft, shownAs: "the first one listed",
        "The tenant that browsers are sent to, one of those above.")
    static let microsoftClientSecret = ConfigurationKey(
        "MICROSOFT_CLIENT_SECRET", .microsoft, secret: true,
        "To exchange the codes that browsers bring, where the first application is registered as a web app.")
    static let microsoftClientSecretExpires = ConfigurationKey(
        "MICROSOFT_CLIENT_SECRET_EXPIRES", .microsoft, shownAs: "not known",
        "The day on which that secret ends, such as `2027-05-01`, UTC: [operations.md](operations.md#what-ends).")
    static let microsoftNativeClientID = ConfigurationKey(
        "MICROSOFT_NATIVE_CLIENT_ID", .microsoft, .text,
        "The application that signs people in with a name, step by step, at an external tenant. Turns that on.")
    static let microsoftNativeAuthority = ConfigurationKey(
        "MICROSOFT_NATIVE_AUTHORITY", .microsoft, .url,
        "The external tenant for it: `https://<name>.ciamlogin.com/<tenant>`.")
    static let microsoftNativeSignUp = ConfigurationKey(
        "MICROSOFT_NATIVE_SIGN_UP", .microsoft, .flag, default: "false",
        "Begins a sign-up with a name that nobody has at the external tenant.")
}
