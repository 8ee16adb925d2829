import Clients
import JSON
import Settings

/// The configuration of MSAL for an app that speaks its native authentication to this gateway.
struct MSALConfiguration {
    let app: NativeAuthApp
    /// The address of the tenant at the gateway.
    ///
    /// It has a path, because MSAL completes a bare host with names of its vendor. It has no slash at its end, which
    /// MSAL on iOS would double.
    let authority: String
    /// The host of the authority, with its port.
    let host: String
    /// Whether the app signs in with passwords.
    let takesPasswords: Bool
    /// The redirect URIs of the app, for steps in a browser.
    let redirectURIs: [String]

    init(_ app: NativeAuthApp, publicURL: String, takesPasswords: Bool, redirectURIs: [String]) {
        (self.app, self.takesPasswords, self.redirectURIs) = (app, takesPasswords, redirectURIs)
        host = publicURL.firstRange(of: "://").map { String(publicURL[$0.upperBound...]) } ?? publicURL
        authority = "\(publicURL)/\(app.tenantName ?? app.tenantID)"
    }

    /// - Throws: ``Failure`` with the remedy, for a public address that MSAL refuses on Android and iOS.
    static func requireHost(of publicURL: String) throws {
        guard let url = EndpointURL(publicURL), url.isSecure, url.host.contains(".") else {
            throw Failure(
                """
                MSAL accepts only https and a host name with a dot. PUBLIC_URL is \(publicURL). Set it to an address such as \
                https://login.example.com.
                """)
        }
    }

    private var challengeTypes: [JSON] { takesPasswords ? ["oob", "password"] : ["oob"] }

    /// The redirect URI of MSAL on Android; without it the first one with the app's own scheme, except that of MSAL on iOS.
    var androidRedirectURI: String? {
        redirectURIs.first { $0.hasPrefix("msauth://") }
            ?? redirectURIs.first { RedirectURI($0)?.kind == .customScheme && !$0.hasPrefix("msauth.") }
    }

    /// The file `auth_config_native_auth.json` for Android.
    var android: JSONObject {
        var file: JSONObject = [
            "client_id": .string(app.applicationID),
            "authorities": [["type": "CIAM", "authority_url": .string(authority)]],
            "challenge_types": .array(challengeTypes), "account_mode": "SINGLE",
        ]
        file["redirect_uri"] = androidRedirectURI.map(JSON.string)
        file["broker_redirect_uri_registered"] = false
        return file
    }

    /// The argument of `CustomAuthPublicClientApplication.create` in JavaScript.
    var javaScript: JSONObject {
        var auth: JSONObject = [
            "clientId": .string(app.applicationID), "authority": .string(authority),
            "knownAuthorities": [.string(host)],
        ]
        auth["redirectUri"] =
            (redirectURIs.first { RedirectURI($0)?.kind == .https }
            ?? redirectURIs.first { RedirectURI($0)?.kind == .localhost }).map(JSON.string)
        return ["auth": .object(auth), "customAuth": ["challengeTypes": .array(challengeTypes + ["redirect"])]]
    }
}
