import Cryptography
import JSON
import Outbound
import Settings

extension ProviderID {
    package static let github = ProviderID(known: "github")
}

/// GitHub, or an Enterprise Server.
///
/// Pages: "Authorizing OAuth apps", "Troubleshooting OAuth app access token request errors", "GitHub authentication
/// discovery endpoints" (docs.github.com).
///
/// - The subject is a numeric `id`. A `login` can change, and another user can then register it.
/// - The address in `/user` is the public one; `/user/emails` lists the confirmed ones.
/// - A confirmed address once received mail, which proves nothing about a foreign domain.
/// - Errors of the token endpoint come with status 200.
/// - The outbound client sends its name with every request, because GitHub answers none without it.
package enum GitHubProvider {
    package static let kind = OAuthProviderKind(
        id: .github, name: "GitHub", documentation: "docs/providers/github.md",
        keys: OAuthKeys(
            clientID: .githubClientID, clientSecret: .githubClientSecret, endpoint: .githubEndpoint,
            trustEmail: .githubTrustEmail),
        brand: brand, addresses: addresses, scope: "user:email", responseType: nil,
        // GitHub has no other way to force a page, and reports no sign-in time.
        reauthentication: [("prompt", "select_account")],
        exceptions: [
            "bad_verification_code": .code, "unverified_user_email": .code,
            "incorrect_client_credentials": .configuration, "redirect_uri_mismatch": .configuration,
            // GitHub's answer to an unknown client id.
            "Not Found": .configuration,
        ],
        longestToken: 2_048, userPath: "/user", user: user,
        emails: OAuthEmailList(path: "/user/emails?per_page=100", isWithheld: isWithheld, email: primary))

    /// An Enterprise Server has its own issuer and realm, because ids are unique within one server.
    private static func addresses(_ endpoint: OutboundURL?) -> OAuthAddresses {
        let pages = (endpoint?.text ?? "https://github.com") + "/login/oauth"
        let host = endpoint?.host ?? "github.com"
        return OAuthAddresses(
            page: pages + "/authorize", tokens: pages + "/access_token",
            api: endpoint.map { $0.text + "/api/v3" } ?? "https://api.github.com", issuer: pages, realm: host,
            relayDomains: ["users.noreply.github.com", "users.noreply." + host])
    }

    private static func user(_ document: JSONObject) throws(ProviderError) -> OAuthUser {
        // A number beyond 64 bits would be read as a fraction and rounded to another user's id.
        guard let number = document["id"]?.integer, number > 0 else { throw .refused(.subjectInvalid) }
        return OAuthUser(subject: String(number), name: document["name"]?.string)
    }

    /// The primary address, if it was confirmed.
    private static func primary(_ entries: [JSON]) -> OAuthEmail? {
        let entry = entries.first { $0["primary"] == .bool(true) && $0["verified"] == .bool(true) }
        return entry?["email"]?.string.map { OAuthEmail(address: $0, isVerified: true) }
    }

    /// The scope or the app's permission is missing; GitHub also answers 403 to too many requests.
    private static func isWithheld(_ response: HTTPResponse) -> Bool {
        let isThrottled = response.header("Retry-After") != nil || response.header("X-RateLimit-Remaining") == "0"
        return response.status == 404 || response.status == 403 && !isThrottled
    }

    private static let brand = ProviderBrand(
        .github,
        icon: ProviderBrand.icon(
            "M8 0C3.58 0 0 3.58 0 8c0 3.54 2.29 6.53 5.47 7.59.4.07.55-.17.55-.38 0-.19-.01-.82-.01-1.49-2.01.37-2.53-.49-2.69-.94-.09-.23-.48-.94-.82-1.13-.28-.15-.68-.52-.01-.53.63-.01 1.08.58 1.23.82.72 1.21 1.87.87 2.33.66.07-.52.28-.87.51-1.07-1.78-.2-3.64-.89-3.64-3.95 0-.87.31-1.59.82-2.15-.08-.2-.36-1.02.08-2.12 0 0 .67-.21 2.2.82.64-.18 1.32-.27 2-.27.68 0 1.36.09 2 .27 1.53-1.04 2.2-.82 2.2-.82.44 1.1.16 1.92.08 2.12.51.56.82 1.27.82 2.15 0 3.07-1.87 3.75-3.65 3.95.29.25.54.73.54 1.48 0 1.07-.01 1.93-.01 2.2 0 .21.15.46.55.38A8.013 8.013 0 0 0 16 8c0-4.42-3.58-8-8-8z",
            box: 16),
        light: .init(
            border: "#24292f", background: "#24292f", text: "#fff", hoverBorder: "#3b434c", hoverBackground: "#3b434c"),
        dark: .init(border: "#656d76", background: "#24292f", text: "#fff", hoverBackground: "#333b44"))
}

extension ConfigurationKey.Group {
    fileprivate static let github = Self("GitHub", "a client id turns it on, for browsers")
}

extension ConfigurationKey {
    fileprivate static let githubClientID = ConfigurationKey(
        "GITHUB_CLIENT_ID", .github, .text, example: .madeUp("Iv1.examplegithub01"),
        "The client id of the OAuth or GitHub app. Enables the provider.")
    fileprivate static let githubClientSecret = ConfigurationKey(
        "GITHUB_CLIENT_SECRET", .github, secret: true, example: .madeUp("github-secret"),
        "Exchanges authorization codes. Required.")
    fileprivate static let githubEndpoint = ConfigurationKey(
        "GITHUB_ENDPOINT", .github, .url, shownAs: "github.com",
        example: .set("http://github.localhost:8081/github"),
        "The address of an Enterprise Server, instead of github.com. Never change it after the first sign-in.")
    fileprivate static let githubTrustEmail = ConfigurationKey(
        "GITHUB_TRUST_EMAIL", .github, .flag, default: "false",
        "Treats addresses that GitHub has verified as proved.")
}
