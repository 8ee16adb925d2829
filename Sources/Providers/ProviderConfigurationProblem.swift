/// A setting with which a provider can't be built.
///
/// The server refuses to start and shows it; it holds no secret.
package struct ProviderConfigurationProblem: Error, Equatable, Sendable {
    /// The variable to change: `APPLE_NATIVE_CLIENT_IDS`.
    package let setting: String
    package let reason: String

    package init(setting: String, reason: String) {
        self.setting = setting
        self.reason = reason
    }
}

/// Where a provider is called.
enum Endpoint {
    /// The configured address without trailing slash, or the provider's own.
    ///
    /// Whether an address of this machine or without TLS may be called is decided where it is called and where the
    /// configuration is read; here it must only be one that can be called at all.
    static func base(
        _ configured: String?, default: String, setting: String
    ) throws(ProviderConfigurationProblem) -> String {
        try url(configured, default: `default`, setting: setting).text
    }

    /// The same, taken apart.
    static func url(
        _ configured: String?, default: String, setting: String
    ) throws(ProviderConfigurationProblem) -> OutboundURL {
        let text = configured ?? `default`
        let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard !trimmed.utf8.contains(UInt8(ascii: "?")), let url = try? OutboundURL(trimmed, allowsLocal: true) else {
            throw ProviderConfigurationProblem(setting: setting, reason: "not an address that can be called")
        }
        return url
    }
}
