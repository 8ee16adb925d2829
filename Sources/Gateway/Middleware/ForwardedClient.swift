import HTTPTypes
import Settings

/// Which header our proxies write into what they see of visitors; others may come from the visitor.
enum ForwardedHeader: String, Sendable, CaseIterable {
    /// The list that most proxies keep, with `X-Forwarded-Proto` beside it.
    case xForwardedFor = "x-forwarded-for"
    /// RFC 7239.
    case forwarded
}

/// Finds out who is behind our own proxies, and whether they came there by https.
///
/// Each proxy adds the address that it saw at the end of a list, so the list is read from its end: the first address that is
/// none of our proxies is the visitor. What stands before it, the visitor may have written.
struct ForwardedClient: Sendable, Equatable {
    /// Who is behind the proxies.
    struct Visitor: Sendable, Equatable {
        /// The peer's own address where it is no proxy of ours.
        let address: String
        /// Whether the visitor's own connection is https; `nil` where no proxy of ours says anything about it.
        let isSecure: Bool?
    }

    /// What one proxy says of who came to it.
    private struct Hop {
        /// `nil` where it can't be read.
        let address: String?
        let isSecure: Bool?
    }

    let proxies: [NetworkRange]
    let header: ForwardedHeader

    /// The visitor behind a peer.
    ///
    /// A hop that can't be read ends the search at the proxy that named it.
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

    /// Whether an address is one of our proxies.
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

    /// What `X-Forwarded-Proto` says, which proxies set rather than extend: anything but one clear word is no https.
    private static func forwardedProtocol(_ headers: HTTPFields) -> Bool? {
        let lines = headers[values: .xForwardedProto]
        return lines.isEmpty ? nil : lines.count == 1 && isHTTPS(lines[0])
    }

    /// One element of RFC 7239's header; a parameter that stands twice says nothing good.
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

    /// Nothing, or a colon and a port, which may be hidden too.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text.count > 1 && text.count <= 32 && text.first == ":"
    }
}

extension HTTPField.Name {
    fileprivate static let forwarded = known("Forwarded")
    fileprivate static let xForwardedFor = known("X-Forwarded-For")
    fileprivate static let xForwardedProto = known("X-Forwarded-Proto")
}
