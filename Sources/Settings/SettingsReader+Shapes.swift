package import Cryptography
package import FoundationEssentials

/// Settings with values of a special form.
extension SettingsReader {
    /// An endpoint that replaces a provider's own; `local` allows private addresses.
    package mutating func endpoint(_ key: ConfigurationKey, local: Bool) -> String? {
        guard let text = text(key) else { return nil }
        guard let url = EndpointURL(text) else {
            complain(key, "must be https://host with at most a path after it")
            return nil
        }
        if !local, !url.isSecure || url.isLocal {
            complain(
                key, "must be https and a public host; INSECURE_ALLOW_LOCAL_PROVIDERS=true lifts this for development")
        }
        return url.text
    }

    /// A GUID in lower case.
    package mutating func identifier(_ key: ConfigurationKey) -> String? {
        guard let text = text(key) else { return nil }
        guard Self.isGUID(text) else {
            complain(key, "must be a GUID, such as 01234567-89ab-cdef-0123-456789abcdef")
            return nil
        }
        return text.lowercased()
    }

    /// A list of GUIDs in lower case.
    package mutating func identifiers(_ key: ConfigurationKey) -> [String]? {
        guard let entries = list(key) else { return nil }
        guard entries.allSatisfy(Self.isGUID) else {
            complain(key, "must be GUIDs, such as 01234567-89ab-cdef-0123-456789abcdef")
            return nil
        }
        return entries.map { $0.lowercased() }
    }

    /// A day in UTC, as its first moment.
    package mutating func day(_ key: ConfigurationKey) -> Date? {
        guard let text = text(key) else { return nil }
        let midnight = text + "T00:00:00Z"
        guard let date = try? Date(midnight, strategy: .iso8601), date.formatted(.iso8601) == midnight else {
            complain(key, "must be a date such as 2026-12-31")
            return nil
        }
        return date
    }

    /// The expiry day of a secret.
    package mutating func end(_ key: ConfigurationKey, of secret: Secret?, _ secretKey: ConfigurationKey) -> Date? {
        let date = day(key)
        if date != nil, secret == nil { complain(key, "needs \(secretKey.name)") }
        return date
    }

    private static func isGUID(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && parts.allSatisfy { $0.utf8.allSatisfy { byte in "0123456789abcdefABCDEF".utf8.contains(byte) } }
    }
}
