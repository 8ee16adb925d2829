import Clients
import JSON
import Settings

/// The configuration of Amplify's libraries for an app that speaks Cognito's API to this gateway.
struct AmplifyConfiguration {
    let app: CognitoApp
    /// The hosted sign-in of the app; nil without one.
    var hostedSignIn: HostedSignIn?

    /// The addresses and scopes of a sign-in in a browser.
    struct HostedSignIn {
        let signInURIs: [String]
        let signOutURIs: [String]
        let scopes: [String]
        /// The providers, by their names in `amplify_outputs.json`.
        var providers: [String] = []
    }

    /// The file `amplifyconfiguration.json` of the first generation, for Swift and Android.
    ///
    /// - Parameter host: the endpoint's host name.
    func firstGeneration(host: String) -> JSONObject {
        let pool: JSON = [
            "PoolId": .string(app.poolID), "AppClientId": .string(app.clientID), "Region": .string(app.region),
            "Endpoint": .string(host),
        ]
        var auth: JSONObject = ["authenticationFlowType": "USER_SRP_AUTH"]
        auth["OAuth"] = hostedSignIn.map { hosted -> JSON in
            [
                "WebDomain": .string(host), "AppClientId": .string(app.clientID),
                "SignInRedirectURI": .string(hosted.signInURIs.first ?? ""),
                "SignOutRedirectURI": .string(hosted.signOutURIs.first ?? ""),
                "Scopes": .array(hosted.scopes.map(JSON.string)),
            ]
        }
        let plugin: JSON = ["CognitoUserPool": ["Default": pool], "Auth": ["Default": .object(auth)]]
        return [
            "UserAgent": "aws-amplify-cli/2.0", "Version": "1.0",
            "auth": ["plugins": ["awsCognitoAuthPlugin": plugin]],
        ]
    }

    /// The argument of `Amplify.configure` in JavaScript.
    ///
    /// - Parameter endpoint: the gateway's public address.
    func javaScript(endpoint: String) -> JSONObject {
        var cognito: JSONObject = [
            "userPoolId": .string(app.poolID), "userPoolClientId": .string(app.clientID),
            "userPoolEndpoint": .string(endpoint),
        ]
        cognito["loginWith"] = hostedSignIn.map { hosted -> JSON in
            [
                "oauth": [
                    "domain": .string(Self.domain(of: endpoint)), "scopes": .array(hosted.scopes.map(JSON.string)),
                    "redirectSignIn": .array(hosted.signInURIs.map(JSON.string)),
                    "redirectSignOut": .array(hosted.signOutURIs.map(JSON.string)), "responseType": "code",
                ]
            ]
        }
        return ["Auth": ["Cognito": .object(cognito)]]
    }

    /// The file `amplify_outputs.json` of the second generation, which can name no endpoint but that of hosted pages.
    ///
    /// - Parameter endpoint: the gateway's public address.
    func secondGeneration(endpoint: String) -> JSONObject {
        var auth: JSONObject = [
            "aws_region": .string(app.region), "user_pool_id": .string(app.poolID),
            "user_pool_client_id": .string(app.clientID),
        ]
        auth["oauth"] = hostedSignIn.map { hosted -> JSON in
            [
                "identity_providers": .array(hosted.providers.map(JSON.string)),
                "domain": .string(Self.domain(of: endpoint)), "scopes": .array(hosted.scopes.map(JSON.string)),
                "redirect_sign_in_uri": .array(hosted.signInURIs.map(JSON.string)),
                "redirect_sign_out_uri": .array(hosted.signOutURIs.map(JSON.string)), "response_type": "code",
            ]
        }
        return ["version": "1", "auth": .object(auth)]
    }

    /// The address without its scheme: the libraries add `https://`.
    private static func domain(of endpoint: String) -> String {
        endpoint.firstRange(of: "://").map { String(endpoint[$0.upperBound...]) } ?? endpoint
    }

    /// The hosted sign-in of a client as the desk returns it; nil for an app without redirect URIs.
    ///
    /// - Parameter prefersScheme: whether an app's own scheme comes first, for a file that takes one address.
    static func hostedSignIn(_ client: JSON, prefersScheme: Bool) -> HostedSignIn? {
        let addresses = client["redirect_uris"]?.array?.compactMap(\.string) ?? []
        let schemes = addresses.filter { prefersScheme && RedirectURI($0)?.kind == .customScheme }
        let ordered = schemes + addresses.filter { !schemes.contains($0) }
        guard !ordered.isEmpty else { return nil }
        let providers = client["providers"]?.array?.compactMap { $0.string.flatMap { providerNames[$0] } }
        return HostedSignIn(
            signInURIs: ordered, signOutURIs: ordered,
            scopes: ["openid", "email", "phone", "profile", "aws.cognito.signin.user.admin"],
            providers: providers ?? [])
    }

    private static let providerNames = [
        "apple": "SIGN_IN_WITH_APPLE", "amazon": "LOGIN_WITH_AMAZON", "google": "GOOGLE", "facebook": "FACEBOOK",
    ]

    /// The host of an address that Amplify's libraries for Swift and Android accept.
    ///
    /// - Throws: ``Failure`` with the remedy for another port, for http and for an IP address.
    static func host(of publicURL: String) throws -> String {
        guard let url = EndpointURL(publicURL), publicURL == "https://\(url.host)", url.host.contains("."),
            NetworkAddress(url.host) == nil
        else {
            throw Failure(
                """
                Amplify's libraries for Swift and Android accept only a host name, with https on port 443. PUBLIC_URL is \
                \(publicURL). Set it to an address such as https://login.example.com.
                """)
        }
        return url.host
    }
}
