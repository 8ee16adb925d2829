import Cryptography

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
}

extension MicrosoftSettings {
    static let keys: [ConfigurationKey] = [
        .microsoftClientIDs, .microsoftTenantIDs, .microsoftExternalTenantIDs, .microsoftTrustTenantEmail,
        .microsoftEndpoint, .microsoftWebTenantID, .microsoftClientSecret,
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
        guard let ids else { return nil }
        clientIDs = ids
        guard tenantsReadWell else { return }
        if tenantIDs.isEmpty, externalTenantIDs.isEmpty {
            settings.complain(.microsoftTenantIDs, "is missing: name the tenants whose people may sign in")
        }
        if let webTenantID, !(tenantIDs + externalTenantIDs).contains(webTenantID) {
            settings.complain(
                .microsoftWebTenantID, "must be among MICROSOFT_TENANT_IDS or MICROSOFT_EXTERNAL_TENANT_IDS")
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
}
