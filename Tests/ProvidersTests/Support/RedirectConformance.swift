import FoundationEssentials
import JSON
import Outbound
import Providers
import TestSupport
import Testing

/// An adapter for redirects, with the data for every common row.
struct RedirectConformance: Sendable, CustomTestStringConvertible {
    let name: String
    /// The provider's page, and its parameters in addition to the common ones.
    let page: String
    let parameters: [String: String]
    let tokenURL: String
    /// The parameters of the exchange in addition to code, verifier and redirect address.
    let client: [String: String]
    /// The headers of the exchange in addition to those of every form.
    var tokenHeaders: [String: String] = [:]
    /// The token endpoint's answer, without an ID token.
    let tokens: JSONObject
    /// Claims of its ID token at ``TestClock/now``, without nonce; nil without an ID token.
    var claims: JSONObject?
    /// Another configured client.
    var otherClient = "second-client"
    /// Whether an exchange proves the nonce without an ID token.
    var provesNonce = false
    /// The provider's `iss` parameter; nil if it sends none.
    let issuer: String?
    let realm: String
    let subject: String
    /// The address that it provides.
    var email: String? = "ann@example.com"
    /// The provider's errors for a refused code and a refused secret, with their status.
    var refusals = (code: "invalid_grant", client: "invalid_client", status: 400)
    /// The member `error` for such an error, as JSON.
    var error: @Sendable (String) -> String = { "\"\($0)\"" }
    /// Sets up all endpoints except the token endpoint.
    let surround: @Sendable (FarSide) throws -> Void
    let make: @Sendable (Upstream) throws -> any RedirectSignIn

    var testDescription: String { name }
}

/// An adapter with redirect sign-in and its scripted provider.
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

    /// Makes the token endpoint return tokens, with replaced claims and then replaced members.
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

    /// Sets the token endpoint's answer; it still requires exactly the parameters of an exchange.
    func exchange(_ answer: @escaping @Sendable (FarSide.Call) -> Result<HTTPResponse, TransferError>) {
        let usual = ["accept": "application/json"]
        far[about.tokenURL] = .init(
            method: .post, headers: usual.merging(about.tokenHeaders) { $1 },
            fields: Set(about.client.keys).union(["grant_type", "code", "redirect_uri", "code_verifier"]),
            answer: answer)
    }

    /// The number of exchanges.
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

    /// The outcome of a redirect: `ok`, or the case's name.
    func startWord() async -> String {
        do {
            _ = try await provider.authorizationURL(Self.start())
            return "ok"
        } catch {
            return Result<ExternalIdentity, ProviderError>.failure(error).word
        }
    }

    /// The page and its parameters; a `+` is not allowed, because some readers decode it as a space.
    func parameters(locales: [String] = []) async throws -> (page: String, fields: [String: String]) {
        let url = try await provider.authorizationURL(Self.start(locales: locales))
        let parts = url.split(separator: "?", maxSplits: 1).map(String.init)
        try #require(parts.count == 2)
        #expect(!parts[1].contains("+") && url.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        return (parts[0], FarSide.fields(of: parts[1]))
    }
}
