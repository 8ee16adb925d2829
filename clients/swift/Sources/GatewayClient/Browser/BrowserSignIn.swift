public import Foundation

/// A sign-in on the gateway's hosted pages, in the system's browser.
///
/// On Apple systems `signInInBrowser` of the client does all of it. Elsewhere open ``url`` in a browser, never in a web
/// view, and pass the address that comes back to ``finish(_:)``.
public struct BrowserSignIn: Sendable {
    /// The address to open.
    public let url: URL
    /// The address that the browser returns to.
    public let redirectURI: String

    let client: GatewayClient
    let state: String
    let verifier: Secret

    /// Redeems the code of the returning address; it works once, for a minute.
    public func finish(_ callback: URL) async throws -> Session {
        let code = try self.code(of: callback)
        let granted: GrantAnswer = try await client.api.answer(
            .form(
                "/v1/token",
                [
                    "grant_type": "authorization_code", "client_id": client.clientID, "redirect_uri": redirectURI,
                    "code": code, "code_verifier": verifier.value,
                ]), .proof)
        let circumstances = client.keeper.circumstances
        let key = try await circumstances.boundKey(granted.tokenType)
        let tokens = SessionTokens(granted, now: circumstances.time.now(), boundTo: key)
        let current: CurrentAnswer = try await circumstances.time.retrying {
            try await circumstances.api.answer(.get("/v1/session"), .token(tokens.accessToken))
        }
        let record = SessionRecord(id: granted.sessionID, tokens: tokens, account: current.account, identity: nil)
        return try await client.keeper.begin(record, nil)
    }

    /// The state binds the answer to this sign-in, `iss` to this gateway (RFC 9207).
    private func code(of callback: URL) throws -> String {
        guard callback.absoluteString.hasPrefix(redirectURI),
            let items = URLComponents(url: callback, resolvingAgainstBaseURL: false)?.queryItems
        else { throw GatewayError.browser(.foreignAnswer) }
        let values = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
        guard values["state"] == state, values["iss"].map(Self.issuer) == Self.issuer(client.url.absoluteString) else {
            throw GatewayError.browser(.foreignAnswer)
        }
        if let error = values["error"] {
            throw GatewayError.browser(.refused(error: error, description: values["error_description"]))
        }
        guard let code = values["code"] else { throw GatewayError.browser(.foreignAnswer) }
        return code
    }

    private static func issuer(_ text: String) -> String { text.hasSuffix("/") ? String(text.dropLast()) : text }
}

extension GatewayClient {
    /// Begins a sign-in on a hosted page.
    ///
    /// - Parameters:
    ///   - redirectURI: one of the app's registered redirect addresses, byte for byte.
    ///   - page: the page to open.
    ///   - asksAgain: whether the user proves themself even with a session in the browser.
    ///   - hasher: computes the PKCE challenge.
    public func browserSignIn(
        redirectURI: String, page: HostedPage = .signIn, asksAgain: Bool = false, hasher: some SHA256Hashing
    ) throws -> BrowserSignIn {
        try browserSignIn(
            at: try api.address(page.path), redirectURI,
            asksAgain ? [URLQueryItem(name: "prompt", value: "login")] : [],
            hasher)
    }

    /// Continues a ``Step/continueInBrowser(_:)`` step at the provider.
    public func browserSignIn(
        continuing visit: BrowserVisit, redirectURI: String, hasher: some SHA256Hashing
    ) throws -> BrowserSignIn {
        guard visit.url.hasOrigin(of: url) else { throw GatewayError.foreignAddress(visit.url) }
        return try browserSignIn(at: visit.url, redirectURI, [], hasher)
    }

    private func browserSignIn(
        at page: URL, _ redirectURI: String, _ more: [URLQueryItem], _ hasher: some SHA256Hashing
    ) throws -> BrowserSignIn {
        let (state, verifier) = (Base64URL.random(), Secret(Base64URL.random()))
        let challenge = Base64URL.encode(hasher.sha256(Data(verifier.value.utf8)))
        var parts = URLComponents(url: page, resolvingAgainstBaseURL: true)
        let own = [
            "client_id": clientID, "redirect_uri": redirectURI, "state": state, "code_challenge": challenge,
            "code_challenge_method": "S256", "response_type": "code",
        ]
        let others = (parts?.queryItems ?? []).filter { own[$0.name] == nil } + more
        let encoded = others.map { "\(pathSegment($0.name))=\(pathSegment($0.value ?? ""))" } + [formEncoded(own)]
        parts?.percentEncodedQuery = encoded.joined(separator: "&")
        guard let url = parts?.url, url.carriesTokensSafely else { throw GatewayError.insecureAddress(page) }
        return BrowserSignIn(url: url, redirectURI: redirectURI, client: self, state: state, verifier: verifier)
    }
}

/// A page of the gateway where a sign-in can begin.
public enum HostedPage: Sendable, Equatable {
    /// All ways to sign in.
    case signIn
    /// A new account with a password.
    case signUp
    /// A forgotten password.
    case forgotPassword
    /// Straight to a provider, by its id.
    case provider(String)

    var path: String {
        switch self {
        case .signIn: "/login"
        case .signUp: "/sign-up"
        case .forgotPassword: "/forgot"
        case .provider(let id): "/login/\(pathSegment(id))"
        }
    }
}

/// The tokens for a code of the hosted pages.
struct GrantAnswer: Decodable {
    let tokenType: String?
    let accessToken: Secret
    let expiresIn: Int
    let refreshToken: Secret
    let refreshExpiresIn: Int
    let sessionID: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case tokenType = "token_type"
        case accessToken = "access_token"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
        case refreshExpiresIn = "refresh_expires_in"
        case sessionID = "session_id"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        tokenType = try values.decodeIfPresent(String.self, forKey: .tokenType)
        accessToken = try values.decode(Secret.self, forKey: .accessToken)
        expiresIn = try values.decode(Int.self, forKey: .expiresIn)
        refreshToken = try values.decode(Secret.self, forKey: .refreshToken)
        refreshExpiresIn = try values.decode(Int.self, forKey: .refreshExpiresIn)
        sessionID = try values.decode(String.self, forKey: .sessionID)
    }
}

extension SessionTokens {
    init(_ answer: GrantAnswer, now: Date, boundTo: String?) {
        (access, refresh, self.boundTo) = (answer.accessToken, answer.refreshToken, boundTo)
        accessEnds = now + TimeInterval(answer.expiresIn)
        refreshEnds = now + TimeInterval(answer.refreshExpiresIn)
    }
}
