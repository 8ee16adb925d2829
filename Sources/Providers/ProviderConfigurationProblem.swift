import Outbound

/// A setting that prevents building a provider.
///
/// The server refuses to start and shows it; it contains no secret.
package struct ProviderConfigurationProblem: Error, Equatable, Sendable {
    /// The variable to change: `APPLE_NATIVE_CLIENT_IDS`.
    package let setting: String
    package let reason: String

    package init(setting: String, reason: String) {
        self.setting = setting
        self.reason = reason
    }
}

/// The address of a provider.
enum Endpoint {
    /// The configured address without a trailing slash, or the provider's own.
    ///
    /// This check only ensures that the address can be called at all. The configuration reader and the client decide
    /// about local addresses and addresses without TLS.
    static func base(
        _ configured: String?, default: String, setting: String
    ) throws(ProviderConfigurationProblem) -> String {
        try url(configured ?? `default`, setting: setting).text
    }

    /// A configured address as a parsed URL.
    static func url(_ text: String, setting: String) throws(ProviderConfigurationProblem) -> OutboundURL {
        let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard !trimmed.utf8.contains(UInt8(ascii: "?")), let url = try? OutboundURL(trimmed, allowsLocal: true) else {
            throw ProviderConfigurationProblem(setting: setting, reason: "not an address that can be called")
        }
        return url
    }
}
