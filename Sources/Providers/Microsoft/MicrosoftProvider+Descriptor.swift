import Cryptography
import FoundationEssentials
import Settings

extension ProviderID {
    package static let microsoft = ProviderID(known: "microsoft")
}

extension MicrosoftProvider: ConfigurableProvider {
    /// - Throws: ``ProviderConfigurationProblem`` naming the setting at fault.
    package init(_ configuration: Configuration, upstream: Upstream) throws(ProviderConfigurationProblem) {
        try self.init(configuration, upstream: upstream, pace: MicrosoftPacer.usual)
    }

    /// Microsoft's entry in ``ProviderList/all``.
    package static let descriptor = ProviderDescriptor(
        .microsoft, MicrosoftProvider.self, page: "docs/providers/microsoft.md",
        keys: [
            .microsoftClientIDs, .microsoftTenantIDs, .microsoftExternalTenantIDs, .microsoftTrustTenantEmail,
            .microsoftEndpoint, .microsoftWebTenantID, .microsoftClientSecret, .microsoftClientSecretExpires,
            .microsoftNativeClientID, .microsoftNativeAuthority, .microsoftNativeSignUp,
        ], brand: brand
    ) { settings, conditions in
        let clientIDs = settings.list(.microsoftClientIDs)
        let before = settings.complaints.count
        let tenants = settings.identifiers(.microsoftTenantIDs) ?? []
        let external = settings.identifiers(.microsoftExternalTenantIDs) ?? []
        let tenantsReadWell = settings.complaints.count == before
        let trustsTenantEmail = settings.flag(.microsoftTrustTenantEmail)
        let endpoint = settings.endpoint(.microsoftEndpoint, local: conditions.allowsLocal)
        let webTenant = settings.identifier(.microsoftWebTenantID)
        let secret = settings.secret(.microsoftClientSecret)
        let expires = settings.end(.microsoftClientSecretExpires, of: secret, .microsoftClientSecret)
        let native = NativeSettings(&settings)
        guard let clientIDs else {
            if native.clientID != nil { settings.complain(.microsoftNativeClientID, "needs MICROSOFT_CLIENT_IDS") }
            return nil
        }
        if tenantsReadWell {
            native.check(&settings, external: external)
            checkTenants(&settings, tenants + external, web: webTenant)
        }
        var configuration = Configuration(
            clientIDs: clientIDs, tenantIDs: tenants.filter { !external.contains($0) })
        (configuration.externalTenantIDs, configuration.trustsTenantEmail) = (external, trustsTenantEmail)
        (configuration.endpoint, configuration.webTenantID) = (endpoint, webTenant)
        (configuration.clientSecret, configuration.requiresNonce) = (secret, conditions.requiresNonce)
        configuration.native = native.configuration
        return ConfiguredProvider(
            .microsoft, MicrosoftProvider.self, configuration,
            credentials: secret == nil ? [] : [.init(.clientSecret, expires: expires)])
    }

    private static func checkTenants(_ settings: inout SettingsReader, _ tenants: [String], web: String?) {
        if tenants.isEmpty {
            settings.complain(.microsoftTenantIDs, "is missing: name the tenants whose people may sign in")
        }
        if let web, !tenants.contains(web) {
            settings.complain(
                .microsoftWebTenantID, "must be among MICROSOFT_TENANT_IDS or MICROSOFT_EXTERNAL_TENANT_IDS")
        }
    }

    private static let brand = ProviderBrand(
        .microsoft,
        icon: ProviderBrand.icon(
            box: 21,
            #"""
            <path fill="#F25022" d="M1 1h9v9H1z"/>\#
            <path fill="#7FBA00" d="M11 1h9v9h-9z"/>\#
            <path fill="#00A4EF" d="M1 11h9v9H1z"/>\#
            <path fill="#FFB900" d="M11 11h9v9h-9z"/>
            """#),
        light: .init(border: "#8c8c8c", background: "#fff", text: "#5e5e5e", hoverBackground: "#f3f5f8"),
        dark: .init(border: "#5e5e5e", background: "#2f2f2f", text: "#fff", hoverBackground: "#3d3d3d"))
}

/// The settings of native sign-in at an external tenant.
private struct NativeSettings {
    let clientID: String?
    let authority: String?
    let allowsSignUp: Bool

    init(_ settings: inout SettingsReader) {
        clientID = settings.text(.microsoftNativeClientID)
        authority = settings.text(.microsoftNativeAuthority)
        allowsSignUp = settings.flag(.microsoftNativeSignUp)
    }

    var configuration: MicrosoftProvider.Native? {
        guard let clientID, let authority else { return nil }
        var native = MicrosoftProvider.Native(clientID: clientID, authority: authority)
        native.allowsSignUp = allowsSignUp
        return native
    }

    func check(_ settings: inout SettingsReader, external: [String]) {
        guard clientID != nil else {
            if authority != nil { settings.complain(.microsoftNativeAuthority, "needs MICROSOFT_NATIVE_CLIENT_ID") }
            return
        }
        guard let authority else { return settings.complain(.microsoftNativeAuthority, "is missing") }
        let parts = authority.split(separator: "/", omittingEmptySubsequences: true)
        guard authority.hasPrefix("https://"), parts.count == 3 else {
            return settings.complain(
                .microsoftNativeAuthority, "must be https://host/tenant, such as https://ducks.ciamlogin.com/<GUID>")
        }
        let tenant = parts[2].lowercased()
        let isGUID = tenant.utf8.count == 36 && !tenant.contains(".")
        guard isGUID ? external.contains(tenant) : external.count == 1 else {
            return settings.complain(
                .microsoftNativeAuthority,
                "must name one of MICROSOFT_EXTERNAL_TENANT_IDS; with several of them by its GUID")
        }
    }
}

extension ConfigurationKey.Group {
    fileprivate static let microsoft = Self("Microsoft", "client ids turn it on, and the tenants must be named")
}

extension ConfigurationKey {
    fileprivate static let microsoftClientIDs = ConfigurationKey(
        "MICROSOFT_CLIENT_IDS", .microsoft, .list, example: .madeUp("11111111-2222-3333-4444-555555555555"),
        "The accepted audiences of ID tokens: application ids. Enables the provider.")
    fileprivate static let microsoftTenantIDs = ConfigurationKey(
        "MICROSOFT_TENANT_IDS", .microsoft, .list, example: .madeUp("aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"),
        "GUIDs of the accepted workforce tenants.")
    fileprivate static let microsoftExternalTenantIDs = ConfigurationKey(
        "MICROSOFT_EXTERNAL_TENANT_IDS", .microsoft, .list, example: .madeUp("bbbbbbbb-cccc-dddd-eeee-ffffffffffff"),
        "GUIDs of the accepted external (customer) tenants. One of the two lists is required.")
    fileprivate static let microsoftTrustTenantEmail = ConfigurationKey(
        "MICROSOFT_TRUST_TENANT_EMAIL", .microsoft, .flag, default: "false",
        "Treats addresses of external tenants as proved if `xms_edov` is not false.")
    fileprivate static let microsoftEndpoint = ConfigurationKey(
        "MICROSOFT_ENDPOINT", .microsoft, .url, shownAs: "Microsoft's own",
        example: .set("http://microsoft.localhost:8081/microsoft"),
        "Replaces Microsoft's own address in calls; the issuers stay.")
    fileprivate static let microsoftWebTenantID = ConfigurationKey(
        "MICROSOFT_WEB_TENANT_ID", .microsoft, shownAs: "the first one listed",
        example: .form("aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"),
        "The tenant of browser sign-ins, one of the lists above.")
    fileprivate static let microsoftClientSecret = ConfigurationKey(
        "MICROSOFT_CLIENT_SECRET", .microsoft, secret: true, example: .madeUp("microsoft-secret"),
        "Exchanges authorization codes of browsers, if the first application is registered as a web app.")
    fileprivate static let microsoftClientSecretExpires = ConfigurationKey(
        "MICROSOFT_CLIENT_SECRET_EXPIRES", .microsoft, shownAs: "not known", example: .form("2027-05-01"),
        "The expiry date of that secret, such as `2027-05-01`, UTC: [operations.md](operations.md#what-ends).")
    fileprivate static let microsoftNativeClientID = ConfigurationKey(
        "MICROSOFT_NATIVE_CLIENT_ID", .microsoft, .text, example: .madeUp("11111111-2222-3333-4444-555555555555"),
        "The application for native authentication at an external tenant. Enables it.")
    fileprivate static let microsoftNativeAuthority = ConfigurationKey(
        "MICROSOFT_NATIVE_AUTHORITY", .microsoft, .url,
        example: .set("https://example.ciamlogin.com/bbbbbbbb-cccc-dddd-eeee-ffffffffffff"),
        "The external tenant of native authentication: `https://<name>.ciamlogin.com/<tenant>`.")
    fileprivate static let microsoftNativeSignUp = ConfigurationKey(
        "MICROSOFT_NATIVE_SIGN_UP", .microsoft, .flag, default: "false",
        "Whether an unknown name starts a sign-up at the external tenant.")
}
