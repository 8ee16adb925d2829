package import Clients
package import HTTPServer
import Vocabulary

/// The authorization request of a dialect, in the parameters of the hosted pages.
package struct DialectAuthorization {
    private(set) var parameters: [(name: String, value: String)]

    private static let kept = [
        "response_type", "response_mode", "redirect_uri", "state", "code_challenge", "code_challenge_method", "nonce",
        "prompt", "login_hint", "ui_locales",
    ]

    /// The scope always has `openid`, because every SDK needs an ID token.
    ///
    /// - Parameter client: nil for an unknown one, which the page explains.
    package init(_ fields: FormBody, of client: Client?, in dialect: TokenDialect) {
        parameters = [("client_id", client?.id ?? fields["client_id"] ?? "")]
        guard client != nil else { return }
        for name in Self.kept { add(name, fields[name]) }
        add("scope", "openid " + (fields["scope"] ?? ""))
        add("dialect", dialect.rawValue)
    }

    /// Adds a parameter that is not there yet.
    package mutating func add(_ name: String, _ value: String?) {
        guard let value, !parameters.contains(where: { $0.name == name }) else { return }
        parameters.append((name, value))
    }

    /// The address of a hosted page.
    package func address(of path: String) -> String { path.addingQuery(parameters) }
}
