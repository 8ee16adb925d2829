package import HTTPTypes
package import Sessions

/// The authentication schemes of `Authorization`.
package enum AuthorizationScheme: String {
    /// RFC 6750.
    case bearer
    /// RFC 7617.
    case basic
    /// RFC 9449 §7.1.
    case dpop
}

extension HTTPFields {
    /// The credentials after the scheme in `Authorization`: the scheme in any case, then spaces (RFC 9110 §11.4).
    ///
    /// - Returns: `nil` for another scheme, or without credentials.
    package func credentials(_ scheme: AuthorizationScheme) -> String? {
        guard let header = value(.authorization) else { return nil }
        let name = scheme.rawValue.utf8
        // Setting this bit turns nothing but a letter into a letter.
        guard zip(header.utf8, name).allSatisfy({ $0 | 0x20 == $1 }) else { return nil }
        let rest = header.utf8.dropFirst(name.count)
        let credentials = rest.drop { $0 == 0x20 }
        guard rest.first == 0x20, !credentials.isEmpty else { return nil }
        return String(Substring(credentials))
    }

    /// The access token in `Authorization`, under either scheme.
    ///
    /// - Parameter key: the thumbprint of the key that the request proved.
    package func accessToken(provedBy key: String?) -> PresentedToken? {
        if let text = credentials(.bearer) { return PresentedToken(text) }
        guard let key, let text = credentials(.dpop) else { return nil }
        return PresentedToken(text, provedBy: key)
    }
}
