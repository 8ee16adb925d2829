import JSON
import Sessions
import Settings

/// The configuration of Amplify's libraries for an app that speaks Cognito's API to this gateway.
struct AmplifyConfiguration {
    let app: CognitoApp
    /// The hosted sign-in of the app; nil without one.
    var hostedSignIn: HostedSignIn?

    /// The addresses and scopes of a sign-in in a browser.
    struct HostedSignIn {
        let signInURI: String
        let signOutURI: String
        let scopes: [String]
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
        auth["OAuth"] = hostedSignIn.map { hosted in
            [
                "WebDomain": .string(host), "AppClientId": .string(app.clientID),
                "SignInRedirectURI": .string(hosted.signInURI), "SignOutRedirectURI": .string(hosted.signOutURI),
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
        [
            "Auth": [
                "Cognito": [
                    "userPoolId": .string(app.poolID), "userPoolClientId": .string(app.clientID),
                    "userPoolEndpoint": .string(endpoint),
                ]
            ]
        ]
    }

    /// The file `amplify_outputs.json` of the second generation, which can't name an endpoint.
    var secondGeneration: JSONObject {
        [
            "version": "1",
            "auth": [
                "aws_region": .string(app.region), "user_pool_id": .string(app.poolID),
                "user_pool_client_id": .string(app.clientID),
            ],
        ]
    }

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
