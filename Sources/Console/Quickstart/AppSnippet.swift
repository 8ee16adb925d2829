/// Code that signs users in at an app, with its real values.
struct AppSnippet: Sendable {
    /// The values of the app that the code contains.
    struct App: Sendable {
        let issuer: String
        let clientID: String
        let redirectURIs: [String]
        /// Whether its back end can authenticate.
        let hasSecret: Bool

        /// An address that opens an app on a device, if there is one.
        fileprivate var ofApp: String? { redirectURIs.first { !$0.hasPrefix("http") } }
        fileprivate var ofWebsite: String? { redirectURIs.first { $0.hasPrefix("http") } }
        /// The name of the app in texts of code: letters and digits alone.
        fileprivate var scheme: String { clientID.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) } }
    }

    /// The message `console.quickstart.<it>`, and the id of its part of the page.
    let platform: String
    let code: @Sendable (App) -> String
    /// Whether the code names a redirect address that the app has not registered.
    let lacksRedirect: @Sendable (App) -> Bool

    static let all = [iOS, web, backEnd]

    private static let iOS = AppSnippet(platform: "ios") { app in
        """
        import GatewayClient

        let client = GatewayClient(url: URL(string: "\(app.issuer)")!, clientID: "\(app.clientID)")

        SignInView(client: client, redirectURI: "\(app.ofApp ?? "com.example.\(app.scheme):/signed-in")") { session in
            show(session)
        }
        """
    } lacksRedirect: {
        $0.ofApp == nil
    }

    private static let web = AppSnippet(platform: "web") { app in
        """
        import { GatewayClient } from "@login-gateway/client"

        const client = new GatewayClient({ url: "\(app.issuer)", clientId: "\(app.clientID)" })
        const returned = await client.completeRedirect().catch(error => {
            console.warn(error) // Cancelled, or begun in another browser: the button below begins again.
            return undefined
        })
        const session = returned ?? await client.session()
        if (session) {
            const user = await session.account.profile()
            greet(user.display_name ?? user.email) // An account may have neither.
        } else document.querySelector("#sign-in").onclick = () =>
            client.redirect({ redirectUri: "\(app.ofWebsite ?? "https://www.example.com/")" })
        """
    } lacksRedirect: {
        $0.ofWebsite == nil
    }

    /// A back end checks tokens offline (`docs/backends.md`); with a secret, it may ask the gateway.
    private static let backEnd = AppSnippet(platform: "back_end") { app in
        let introspection = """


            # The same, and whether the session still lives:
            curl -u \(app.clientID):\(KnownSoftware.secret) \(app.issuer)/v1/token/introspect -d token=$TOKEN
            """
        return """
            import { createRemoteJWKSet, jwtVerify } from "jose"

            const keys = createRemoteJWKSet(new URL("\(app.issuer)/.well-known/jwks.json"))
            const { payload } = await jwtVerify(token, keys, {
                issuer: "\(app.issuer)", audience: "\(app.clientID)", algorithms: ["ES256"], typ: "at+jwt",
            })
            // payload.sub is the account.
            """ + (app.hasSecret ? introspection : "")
    } lacksRedirect: { _ in
        false
    }

    private init(
        platform: String, code: @escaping @Sendable (App) -> String,
        lacksRedirect: @escaping @Sendable (App) -> Bool
    ) {
        (self.platform, self.code, self.lacksRedirect) = (platform, code, lacksRedirect)
    }
}
