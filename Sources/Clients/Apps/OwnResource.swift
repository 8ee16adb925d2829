/// A part of the gateway's own API, as a resource (RFC 9728 §1.2).
package struct OwnResource: Sendable, Equatable {
    /// Nil for the calls that take the session of every app, such as UserInfo.
    package let audience: Audience?

    package init(_ audience: Audience?) { self.audience = audience }

    package static let all = [OwnResource(nil)] + Audience.allCases.map { OwnResource($0) }

    /// In place of an identifier for `reaches_resource`, where a request names one of them.
    static let stored = ""

    /// The entry of its tokens' `aud`; the public address for the calls that need no entry.
    package func identifier(issuer: String) -> String { audience?.name(issuer: issuer) ?? issuer }

    /// Where its metadata are, below the public address.
    package var metadataPath: String { ProtectedResource.metadataPath + identifier(issuer: "") }

    /// Whether tokens of the client open it, without a resource in the request.
    ///
    /// An app that nobody vouches for gets no such token.
    func opens(to client: Client) -> Bool {
        client.isProved && (audience.map(client.audiences.contains) ?? true)
    }
}

extension ProtectedResource {
    /// Before the path of the resource itself (RFC 9728 §3).
    package static let metadataPath = "/.well-known/oauth-protected-resource"

    /// Where its server publishes its metadata (RFC 9728 §3.1); nil for an identifier without a host.
    package var metadataAddress: String? {
        guard let end = Self.authorityEnd(of: identifier) else { return nil }
        let rest = identifier[end...]
        return identifier[..<end] + Self.metadataPath + (rest == "/" ? "" : rest)
    }

    /// Where the path of an address begins; nil for an identifier without a host.
    static func authorityEnd(of identifier: String) -> String.Index? {
        guard let authority = identifier.firstRange(of: "://") else { return nil }
        return identifier[authority.upperBound...].firstIndex { "/?".contains($0) } ?? identifier.endIndex
    }
}
