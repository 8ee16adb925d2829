import FoundationEssentials

/// An absolute http or https URL of an endpoint: scheme, host, port and a path prefix, nothing else.
package struct EndpointURL: Sendable, Equatable {
    /// The URL without a final slash.
    package let text: String
    package let isSecure: Bool
    package let host: String
    /// The prefix of request paths, without a final slash; empty for a bare host.
    package let prefix: String
    /// Scheme, host and port as browsers write them in `Origin` (RFC 6454 §6.2).
    ///
    /// The text is lower case and omits the scheme's default port.
    package let origin: String

    /// Fails for other schemes, user names, queries, fragments, and invalid URLs.
    package init?(_ text: String) {
        guard text.utf8.count <= 2_048, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }),
            let parts = URLComponents(string: text), let scheme = parts.scheme, let host = parts.encodedHost,
            Self.isHost(host),
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil
        else { return nil }
        guard scheme == "https" || scheme == "http" else { return nil }
        self.text = String(text.utf8.last == UInt8(ascii: "/") ? text.dropLast() : text[...])
        self.isSecure = scheme == "https"
        self.host = host.lowercased().trimmingPrefixAndSuffix("[", "]")
        self.origin = Self.origin(scheme, self.host, parts.port)
        self.prefix = parts.path.utf8.elementsEqual("/".utf8) ? "" : parts.path
    }

    /// Takes the encoded host, because `%00` in a decoded one would be an invisible byte of the origin.
    private static func isHost(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9A-Za-z._-]+|\[[0-9A-Fa-f:.]+\]/) != nil
    }

    private static func origin(_ scheme: String, _ host: String, _ port: Int?) -> String {
        let isStandard = port == nil || port == (scheme == "https" ? 443 : 80)
        return "\(scheme)://" + (host.contains(":") ? "[\(host)]" : host) + (isStandard ? "" : ":\(port ?? 0)")
    }

    /// Whether the host is this machine, such as `localhost` and every name below it (RFC 6761 §6.3).
    package var isLoopback: Bool {
        name == "localhost" || name.hasSuffix(".localhost") || NetworkAddress(name)?.isLoopback == true
    }

    /// Whether only this machine or its network reaches the host.
    ///
    /// The gateway calls such a host only if the operator allows it.
    package var isLocal: Bool {
        isLoopback || name.hasSuffix(".local") || name.hasSuffix(".internal")
            || !name.contains { $0 == "." || $0 == ":" }
            || NetworkAddress(name)?.isPrivate == true || isNumericAlias
    }

    /// The host without the dot of the root, which names the same host.
    private var name: String { host.hasSuffix(".") ? String(host.dropLast()) : host }

    /// Whether resolvers read the host as an IPv4 address: `2130706433`, `0x7f.1`, `127.1`.
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
