import Cryptography
package import Foundation
import JSON

/// An ID token that comes back as a hint (OpenID Connect Core §3.1.2.1, RP-Initiated Logout §2).
///
/// It proves nothing about its sender. An expired one still tells whom and which session the app means.
package struct IDTokenHint: Sendable, Equatable {
    /// `sub` at the client.
    package let subject: String
    /// The session of the app.
    package let session: UUID
    /// The client that it was issued to.
    package let client: String
    /// Not checked.
    let expires: Date
}

extension TokenIssuer {
    /// Reads a hint; nil for a text that is no ID token of ours, or was changed.
    package func hint(_ text: String, at now: Date) -> IDTokenHint? {
        guard let jwt = try? JWT(parsing: text, maximumLength: Self.maximumLength), isSignedByUs(jwt, at: now),
            jwt.header["typ"] == "JWT", jwt.claims["iss"] == .string(issuer), jwt.claims["events"] == nil,
            let subject = jwt.claims["sub"]?.string,
            let session = jwt.claims["sid"]?.string.flatMap(UUID.init(text:)), let client = jwt.claims["aud"]?.string,
            let expires = jwt.claims["exp"]?.integer
        else { return nil }
        return IDTokenHint(
            subject: subject, session: session, client: client,
            expires: Date(timeIntervalSince1970: TimeInterval(expires)))
    }
}
