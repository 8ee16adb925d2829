import Cryptography
import FoundationEssentials
import JSON
import Providers
import Testing

/// One adapter for redirects, described so that every common row can be tried on it.
struct RedirectConformance: Sendable, CustomTestStringConvertible {
    let name: String
    /// The page that browsers are sent to, and what it gets beside what every page gets.
    let page: String
    let parameters: [String: String]
    let tokenURL: String
    /// What the exchange carries beside code, verifier and redirect address.
    let client: [String: String]
    /// The headers of the exchange beside those of every form.
    var tokenHeaders: [String: String] = [:]
    /// What the token endpoint answers, without an ID token.
    let tokens: JSONObject
    /// Claims of the ID token beside them at ``TestClock/now``, without nonce; nil where nothing is signed.
    var claims: JSONObject?
    /// Another client of ours.
    var otherClient = "second-client"
    /// Whether an exchange proves the nonce although nothing is signed for us.
    var provesNonce = false
    /// The `iss` parameter that is this provider's; nil where it sends none.
    let issuer: String?
    let realm: String
    let subject: String
    /// The address that it tells.
    var email: String? = "ann@example.com"
    /// What the provider calls a code that it doesn't take, and a secret; with which status.
    var refusals = (code: "invalid_grant", client: "invalid_client", status: 400)
    /// The member `error` for such a word, as JSON.
    var error: @Sendable (String) -> String = { "\"\($0)\"" }
    /// Puts up all that is asked besides the token endpoint.
    let surround: @Sendable (FarSide) throws -> Void
    let make: @Sendable (Upstream) throws -> any RedirectSignIn

    var testDescription: String { name }
}

/// An adapter that browsers are sent through, on its stage.
struct RedirectStage {
    static let redirectURI = "https://login.example.com/login/x/callback"
    static let nonce = "n0nce-of-this-redirect"
    /// RFC 7636 appendix B.
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    let about: RedirectConformance
    let far = FarSide()
    let clock = TestClock()
    let health: ProviderHealth
    let provider: any RedirectSignIn

    init(_ about: RedirectConformance) throws {
        self.about = about
        let clock = clock
        health = ProviderHealth(provider: try #require(ProviderID(rawValue: "test")))
        provider = try about.make(
            Upstream(transport: far, health: health, timeout: .seconds(5), clock: { clock.now }))
        try about.surround(far)
        try sell()
    }

    /// Has the token endpoint give tokens, with claims of the ID token and then members of the answer replaced.
    func sell(
        _ claims: JSONObject = [:], header: JSONObject = [:], signing: TokenMint.Signing = .sound,
        members: JSONObject = [:]
    ) throws {
        var answer = about.tokens
        if let usual = about.claims {
            let usual = TokenMint.merged(usual, ["nonce": .string(Self.nonce)])
            let token = try TokenMint.token(usual, replacing: claims, header: header, signing: signing)
            answer["id_token"] = .string(token)
        }
        let text = JSON.object(TokenMint.merged(answer, members)).text
        exchange { _ in .success(.json(text)) }
    }

    /// Has the token endpoint answer in any way; it still demands what belongs to an exchange and nothing else.
    func exchange(_ answer: @escaping @Sendable (FarSide.Call) -> Result<HTTPResponse, TransferError>) {
        let usual = ["accept": "application/json"]
        far[about.tokenURL] = .init(
            method: .post, headers: usual.merging(about.tokenHeaders) { $1 },
            fields: Set(about.client.keys).union(["grant_type", "code", "redirect_uri", "code_verifier"]),
            answer: answer)
    }

    /// How often a code was sent.
    var exchanges: Int { far.count(about.tokenURL) }

    static func start(locales: [String] = [], isReauthentication: Bool = false) -> RedirectStart {
        RedirectStart(
            redirectURI: redirectURI, state: "st+a&te=/é", nonce: nonce, codeVerifier: verifier, locales: locales,
            isReauthentication: isReauthentication)
    }

    func redeem(
        code: String = "c0de+/|=", idToken: String? = nil, user: String? = nil
    ) async -> Result<ExternalIdentity, ProviderError> {
        let answer = RedirectAnswer(
            code: code, idToken: idToken, user: user, redirectURI: Self.redirectURI, nonce: Self.nonce,
            codeVerifier: Self.verifier)
        do {
            return .success(try await provider.redeem(answer, at: TestClock.now))
        } catch {
            return .failure(error)
        }
    }

    /// `ok`, or the case's name: what comes of sending a browser away.
    func startWord() async -> String {
        do {
            _ = try await provider.authorizationURL(Self.start())
            return "ok"
        } catch {
            return Result<ExternalIdentity, ProviderError>.failure(error).word
        }
    }

    /// The page, and what it gets; a `+` would be a space to some readers, so there may be none.
    func parameters(locales: [String] = []) async throws -> (page: String, fields: [String: String]) {
        let url = try await provider.authorizationURL(Self.start(locales: locales))
        let parts = url.split(separator: "?", maxSplits: 1).map(String.init)
        try #require(parts.count == 2)
        #expect(!parts[1].contains("+") && url.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        return (parts[0], FarSide.fields(of: parts[1]))
    }
}
