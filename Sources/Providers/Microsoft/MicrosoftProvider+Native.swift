import FoundationEssentials
import JSON

extension MicrosoftProvider {
    /// The native app's tenant, from the configured ones.
    static func native(
        _ native: Native, _ tenants: [String: Tenant], _ configuration: Configuration, _ upstream: Upstream,
        _ pacer: MicrosoftPacer
    ) throws(ProviderConfigurationProblem) -> NativeTenant {
        guard let (host, name) = taken(apart: native.authority) else {
            throw ProviderConfigurationProblem(
                setting: "MICROSOFT_NATIVE_AUTHORITY", reason: "not https, a host and one tenant")
        }
        let external = tenants.values.filter(\.isExternal)
        let named = external.first { $0.id.hasSameBytes(as: name.lowercased()) }
        // A domain does not reveal its GUID, and tokens are checked by the GUID.
        guard let tenant = named ?? (external.count == 1 && !isGUID(name.lowercased()) ? external[0] : nil) else {
            throw ProviderConfigurationProblem(
                setting: "MICROSOFT_NATIVE_AUTHORITY",
                reason: "names none of the external tenants that are listed; with several, name it by its GUID")
        }
        let base = try Endpoint.base(
            configuration.endpoint, default: "https://\(host)", setting: "MICROSOFT_ENDPOINT")
        var rules = IDTokenVerifier.Rules(
            issuers: [tenant.issuer], audiences: [native.clientID], setting: "MICROSOFT_NATIVE_CLIENT_ID")
        rules.maximumAge = configuration.maximumAge
        rules.nonce = NonceRule(encoding: .exact, isRequired: false)
        rules.readsKeyIssuers = true
        return NativeTenant(
            api: MicrosoftAPI(
                base: base, tenant: name, clientID: native.clientID, upstream: upstream, pacer: pacer),
            tenant: tenant, verifier: try IDTokenVerifier(rules, keys: tenant.verifier.keys),
            allowsSignUp: native.allowsSignUp)
    }

    /// Host and tenant of an authority, without a trailing slash.
    private static func taken(apart authority: String) -> (host: String, tenant: String)? {
        guard authority.hasPrefix("https://") else { return nil }
        let rest = authority.dropFirst("https://".count)
        let parts = (rest.hasSuffix("/") ? rest.dropLast() : rest)
            .split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy(isName) else { return nil }
        return (String(parts[0]), String(parts[1]))
    }

    private static func isName(_ text: Substring) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "." || $0 == "-" }
    }
}
