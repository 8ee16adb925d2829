package import HTTPTypes
import Settings

/// The header in which the trusted proxies report the client.
///
/// A client may forge the other one.
enum ForwardedHeader: String, Sendable, CaseIterable {
    /// `X-Forwarded-For` with `X-Forwarded-Proto`.
    case xForwardedFor = "x-forwarded-for"
    /// RFC 7239.
    case forwarded
}

/// Finds the client's address behind trusted proxies, and whether its connection uses https.
///
/// Each proxy appends the address that it saw. The list is read from its end: the first address that is no trusted proxy
/// is the client. The client may have forged everything before it.
package struct ForwardedClient: Sendable, Equatable {
    /// The client behind the proxies.
    struct Visitor: Sendable, Equatable {
        /// The peer's own address if it is no trusted proxy.
        let address: String
        /// Whether the client's connection uses https; `nil` if no trusted proxy reports it.
        let isSecure: Bool?
    }

    /// The entry of one proxy.
    private struct Hop {
        /// `nil` if it cannot be parsed.
        let address: String?
        let isSecure: Bool?
    }

    let proxies: [NetworkRange]
    let header: ForwardedHeader

    /// The client behind a peer.
    ///
    /// The search ends at the proxy before an entry that cannot be parsed.
    func visitor(peer: String, headers: HTTPFields) -> Visitor {
        guard isProxy(peer) else { return Visitor(address: peer, isSecure: nil) }
        var (client, isSecure) = (peer, Bool?.none)
        for hop in hops(headers).reversed() {
            isSecure = hop.isSecure
            guard let address = hop.address else { break }
            client = address
            guard isProxy(address) else { break }
        }
        return Visitor(address: client, isSecure: header == .forwarded ? isSecure : Self.forwardedProtocol(headers))
    }

    /// Whether an address is a trusted proxy.
    func isProxy(_ text: String) -> Bool {
        guard let address = NetworkAddress(text) else { return false }
        return proxies.contains { $0.contains(address) }
    }

    private func hops(_ headers: HTTPFields) -> [Hop] {
        switch header {
        case .xForwardedFor:
            let lines = headers[values: .xForwardedFor]
            return lines.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
                .map { Hop(address: Self.address(in: String($0)), isSecure: nil) }
        case .forwarded:
            return headers[values: .forwarded].flatMap { Self.split($0, at: ",").map(Self.element) }
        }
    }

    /// Reads `X-Forwarded-Proto`, which proxies replace or extend.
    ///
    /// Every entry must be `https`. A visitor's own entry can therefore only make the connection count as insecure.
    private static func forwardedProtocol(_ headers: HTTPFields) -> Bool? {
        let lines = headers[values: .xForwardedProto]
        guard !lines.isEmpty else { return nil }
        return lines.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
            .allSatisfy { isHTTPS(String($0)) }
    }

    /// What proxies said about the visitor's protocol, for the log: each header with its value, without addresses.
    package static func reportedProtocols(_ headers: HTTPFields) -> String {
        let protocols = headers[values: .forwarded].flatMap { split($0, at: ",") }.map { hop in
            split(hop, at: ";").map { ValueShape.trimmed($0) }.filter { $0.lowercased().hasPrefix("proto=") }
                .joined(separator: ";")
        }
        let lines =
            headers[values: .xForwardedProto].map { "X-Forwarded-Proto: \($0)" }
            + (protocols.isEmpty ? [] : ["Forwarded: \(protocols.joined(separator: ", "))"])
        return lines.isEmpty ? "none" : lines.joined(separator: "; ").bounded(bytes: 200)
    }

    /// One element of the header of RFC 7239; a repeated parameter makes it invalid.
    private static func element(_ text: String) -> Hop {
        let pairs = split(text, at: ";").map { pair -> (name: String, value: String) in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (ValueShape.trimmed(parts[0]).lowercased(), parts.count == 2 ? String(parts[1]) : "")
        }
        let addresses = pairs.filter { $0.name == "for" }
        let protocols = pairs.filter { $0.name == "proto" }
        return Hop(
            address: addresses.count == 1 ? address(in: addresses[0].value) : nil,
            isSecure: protocols.isEmpty ? nil : protocols.count == 1 && isHTTPS(protocols[0].value))
    }

    private static func isHTTPS(_ text: String) -> Bool { unquoted(text).lowercased() == "https" }

    /// Splits at a separator outside of quoted strings (RFC 9110 section 5.6.4).
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
        var text = unquoted(hop)
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

    private static func unquoted(_ text: String) -> String {
        let text = ValueShape.trimmed(text)
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        return String(text.dropFirst().dropLast())
    }

    /// Empty, or a colon and a port, which may be obfuscated.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text.count > 1 && text.count <= 32 && text.first == ":"
    }
}

extension HTTPField.Name {
    fileprivate static let forwarded = known("Forwarded")
    fileprivate static let xForwardedFor = known("X-Forwarded-For")
    fileprivate static let xForwardedProto = known("X-Forwarded-Proto")
}
