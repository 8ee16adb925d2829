/// What an access token is good for beside the app's own API: an entry of `aud` (RFC 9068 §2.2), and a permission of the
/// client.
///
/// A door that serves one asks for it twice: of the token, and of the session's client as it is now. So a permission that
/// is taken away ends with it, and a token that was issued without it never gains it. Nor does a session that began without
/// ``administration`` gain that: ``Client/audiences(administers:)``.
package enum Audience: String, Sendable, CaseIterable {
    /// The person's own account: `/v1/account…`, and the pages below `/account`.
    case account
    /// The operators' API and console.
    case administration

    /// The path that tokens name it by, below our public address.
    private var path: String {
        switch self {
        case .account: "/v1/account"
        case .administration: "/admin/api/v1"
        }
    }

    /// As it stands in `aud`.
    ///
    /// - Parameter issuer: our public address.
    package func name(issuer: String) -> String { issuer + path }

    /// The audience that a request's path is of; nil for the rest.
    package init?(path: String) {
        let isAccount = path == "/v1/password/change" || Self.account.covers(path)
        guard let found = isAccount ? Self.account : Self.administration.covers(path) ? .administration : nil else {
            return nil
        }
        self = found
    }

    private func covers(_ other: String) -> Bool { other == path || other.hasPrefix(path + "/") }
}

extension ClientRegistry {
    /// Lets a session through whose client has the permission; for administration, one that began with it.
    ///
    /// - Throws: `audienceNotAllowed` where it has not, or is disabled.
    package func require(_ audience: Audience, of session: SessionSnapshot) throws(Rejection) {
        let audiences = client(session.facts.clientID)?.audiences(administers: session.administers) ?? []
        guard audiences.contains(audience) else { throw .audienceNotAllowed }
    }
}
