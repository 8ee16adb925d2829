/// An extra audience of access tokens: an entry of `aud` (RFC 9068 §2.2) and a permission of the client.
///
/// A front door checks it twice: in the token, and at the session's present client. So a removed permission stops
/// working at once, and a token issued without the audience never gains it. A session that began without
/// ``administration`` never gains that either: ``Client/audiences(administers:)``.
package enum Audience: String, Sendable, CaseIterable {
    /// The user's own account: `/v1/account…`, and the pages below `/account`.
    case account
    /// The operators' API and console.
    case administration

    /// The path of its name in tokens, below our public address.
    private var path: String {
        switch self {
        case .account: "/v1/account"
        case .administration: "/admin/api/v1"
        }
    }

    /// Returns the value in `aud`.
    ///
    /// - Parameter issuer: our public address.
    package func name(issuer: String) -> String { issuer + path }

    /// Finds the audience of a request's path; nil for other paths.
    package init?(path: String) {
        let isAccount = path == "/v1/password/change" || Self.account.covers(path)
        guard let found = isAccount ? Self.account : Self.administration.covers(path) ? .administration : nil else {
            return nil
        }
        self = found
    }

    private func covers(_ other: String) -> Bool { other == path || other.hasPrefix(path + "/") }
}
