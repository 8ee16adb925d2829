import FoundationEssentials

/// An absolute http or https URL that names a place to call: scheme, host, port and a path prefix, nothing else.
package struct EndpointURL: Sendable, Equatable {
    /// The URL without a slash at its end.
    package let text: String
    package let isSecure: Bool
    package let host: String
    /// The path in front of what is called, without a slash at the end; empty for a bare host.
    package let prefix: String
    /// Scheme, host and port as browsers write them in `Origin` (RFC 6454 §6.2): in lower case, without the scheme's own
    /// port.
    package let origin: String

    /// Fails for other schemes, user names, queries, fragments, and anything that doesn't read as a URL.
    package init?(_ text: String) {
        guard text.utf8.count <= 2_048, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }),
            let parts = URLComponents(string: text), let scheme = parts.scheme, let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil
        else { return nil }
        guard scheme == "https" || scheme == "http", !host.contains("%"), !host.contains("*") else { return nil }
        self.text = String(text.utf8.last == UInt8(ascii: "/") ? text.dropLast() : text[...])
        self.isSecure = scheme == "https"
        self.host = host.lowercased().trimmingPrefixAndSuffix("[", "]")
        self.origin = Self.origin(scheme, self.host, parts.port)
        self.prefix = parts.path.utf8.elementsEqual("/".utf8) ? "" : parts.path
    }

    private static func origin(_ scheme: String, _ host: String, _ port: Int?) -> String {
        let isStandard = port == nil || port == (scheme == "https" ? 443 : 80)
        return "\(scheme)://" + (host.contains(":") ? "[\(host)]" : host) + (isStandard ? "" : ":\(port ?? 0)")
    }

    /// This very machine; `localhost` and all below it are (RFC 6761 §6.3).
    package var isLoopback: Bool {
        name == "localhost" || name.hasSuffix(".localhost") || NetworkAddress(name)?.isLoopback == true
    }

    /// A place that only this machine or its network reaches: never called unless the operator says so.
    package var isLocal: Bool {
        isLoopback || name.hasSuffix(".local") || name.hasSuffix(".internal")
            || !name.contains { $0 == "." || $0 == ":" }
            || NetworkAddress(name)?.isPrivate == true || isNumericAlias
    }

    /// The host without the dot of the root, which names the same place.
    private var name: String { host.hasSuffix(".") ? String(host.dropLast()) : host }

    /// `2130706433`, `0x7f.1`, `127.1`: spellings that resolvers take for an IPv4 address.
    private var isNumericAlias: Bool {
        guard NetworkAddress(name) == nil, let last = name.split(separator: ".").last else { return false }
        return last.hasPrefix("0x") || last.allSatisfy(\.isNumber)
    }
}

extension String {
    fileprivate func trimmingPrefixAndSuffix(_ prefix: String, _ suffix: String) -> String {
        guard hasPrefix(prefix), hasSuffix(suffix) else { return self }
        return String(dropFirst(prefix.count).dropLast(suffix.count))
    }
}
