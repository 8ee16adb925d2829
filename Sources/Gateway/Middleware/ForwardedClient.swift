import HTTPTypes

/// Which header our proxies write the addresses of visitors into; others may come from the visitor.
enum ForwardedHeader: String, Sendable, CaseIterable {
    /// The list that most proxies keep.
    case xForwardedFor = "x-forwarded-for"
    /// RFC 7239.
    case forwarded
}

/// Finds out who is behind our own proxies.
///
/// Each proxy adds the address that it saw at the end of a list, so the list is read from its end: the first address that is
/// none of our proxies is the visitor. What stands before it, the visitor may have written.
struct ForwardedClient: Sendable, Equatable {
    let proxies: [NetworkRange]
    let header: ForwardedHeader

    /// The visitor's address; the peer's own where it is no proxy of ours.
    ///
    /// A hop that can't be read ends the search at the proxy that named it.
    func address(peer: String, headers: HTTPFields) -> String {
        guard isProxy(peer) else { return peer }
        var client = peer
        for hop in hops(headers).reversed() {
            guard let address = Self.address(in: hop) else { break }
            client = address
            guard isProxy(address) else { break }
        }
        return client
    }

    private func isProxy(_ text: String) -> Bool {
        guard let address = NetworkAddress(text) else { return false }
        return proxies.contains { $0.contains(address) }
    }

    private func hops(_ headers: HTTPFields) -> [String] {
        switch header {
        case .xForwardedFor:
            let lines = headers[values: .known("X-Forwarded-For")]
            return lines.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        case .forwarded:
            return headers[values: .known("Forwarded")].flatMap(Self.elements)
        }
    }

    /// The `for` of each element, in order; empty where an element has none or several.
    private static func elements(_ line: String) -> [String] {
        split(line, at: ",").map { element in
            let names = split(element, at: ";").map { pair -> (String, String) in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (ValueShape.trimmed(parts[0]).lowercased(), parts.count == 2 ? String(parts[1]) : "")
            }.filter { $0.0 == "for" }
            return names.count == 1 ? names[0].1 : ""
        }
    }

    /// Splits where the mark stands outside of a quoted string (RFC 9110 section 5.6.4).
    private static func split(_ text: String, at mark: Character) -> [String] {
        var parts = [""]
        var (isQuoted, isEscaped) = (false, false)
        for character in text {
            if !isQuoted, character == mark {
                parts.append("")
                continue
            }
            if isEscaped {
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            }
            parts[parts.count - 1].append(character)
        }
        return parts
    }

    /// The address of a hop: bare, quoted, in brackets, with or without a port; `unknown` and hidden names are none.
    private static func address(in hop: String) -> String? {
        var text = ValueShape.trimmed(hop)
        if text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") { text = String(text.dropFirst().dropLast()) }
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]"), isPort(text[text.index(after: end)...]) else { return nil }
            text = String(text[text.index(after: text.startIndex)..<end])
        } else if text.count(where: { $0 == ":" }) == 1, let colon = text.firstIndex(of: ":") {
            guard isPort(text[colon...]) else { return nil }
            text = String(text[..<colon])
        }
        guard !text.contains("%"), NetworkAddress(text) != nil else { return nil }
        return text
    }

    /// Nothing, or a colon and a port, which may be hidden too.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text.count > 1 && text.count <= 32 && text.first == ":"
    }
}
