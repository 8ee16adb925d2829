import Clients
import Foundation
import JSON
import Postgres
import Testing

/// A relying party of OpenID Connect that does what stock clients do.
struct RelyingParty {
    let gateway: GatewayProcess
    let id: String
    let secret: String?

    static let address = "https://rp.example/cb"
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    /// Registers one.
    ///
    /// - Parameters:
    ///   - isPublic: whether it has no secret.
    ///   - openID: its settings as a relying party.
    static func register(
        _ openID: JSONObject = [:], isPublic: Bool = false, redirects: [String] = [address]
    ) async throws -> RelyingParty {
        let gateway = try GatewayProcess.current
        let (id, secret) = ("rp-\(Fresh.text())", isPublic ? nil : "secret \(Fresh.text())")
        let kind: Client.Kind = isPublic ? .public : .confidential
        try await gateway.addClient(id, secret: secret, type: kind, redirects: redirects)
        guard !openID.members.isEmpty else { return RelyingParty(gateway: gateway, id: id, secret: secret) }
        try await gateway.change("update clients set openid = \(JSONText(JSON.object(openID).text)) where id = \(id)")
        // The registry follows the notification: the last change is in when a client that came after it is known.
        try await gateway.addClient("after-\(id)", secret: nil)
        return RelyingParty(gateway: gateway, id: id, secret: secret)
    }

    /// The parameters of its request; nil removes one.
    func parameters(_ changes: [String: String?] = [:]) -> [(String, String)] {
        let usual: [String: String] = [
            "client_id": id, "redirect_uri": Self.address, "response_type": "code", "scope": "openid",
            "state": "st", "nonce": "n-0S6_WzA2Mj", "code_challenge": Self.challenge, "code_challenge_method": "S256",
        ]
        let values = usual.merging(changes.compactMapValues { $0 }) { _, new in new }
        return values.filter { changes[$0.key] != .some(nil) }.sorted { $0.key < $1.key }
    }

    /// The address of its request.
    func request(_ changes: [String: String?] = [:]) -> String {
        var components = URLComponents()
        components.queryItems = parameters(changes).map { URLQueryItem(name: $0.0, value: $0.1) }
        return "/authorize?" + (components.percentEncodedQuery ?? "").replacing("+", with: "%2B")
    }

    /// Redeems a code, with HTTP Basic for a confidential one.
    func redeem(_ code: String, _ changes: [String: String?] = [:]) async throws -> TestAnswer {
        let usual: [String: String] = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": Self.address, "client_id": id,
            "code_verifier": Self.verifier,
        ]
        let values = usual.merging(changes.compactMapValues { $0 }) { _, new in new }
        let sent = values.filter { changes[$0.key] != .some(nil) }
        return try await gateway.form("/v1/token", sent.map { ($0, $1) }, client: id, secret: secret)
    }

    /// The tokens for the code with which a browser left.
    func tokens(_ browser: PageBrowser, _ changes: [String: String?] = [:]) async throws -> TokenAnswer {
        let code = try #require(browser.departureQuery["code"], "\(browser.page.status) \(browser.page.text)")
        let answer = try await redeem(code, changes)
        try #require(answer.status == 200, "\(answer.text)")
        return TokenAnswer(json: answer.json, claims: try await gateway.idClaims(answer.json))
    }

    func userInfo(_ token: String, method: String = "GET") async throws -> TestAnswer {
        try await gateway.send(TestRequest(method, "/userinfo").bearer(token))
    }
}

/// The answer of the token endpoint.
struct TokenAnswer {
    let json: JSON
    /// Of the ID token, whose signature holds.
    let claims: JSONObject

    var access: String { json["access_token"]?.string ?? "" }
    var refresh: String { json["refresh_token"]?.string ?? "" }
    var idToken: String { json["id_token"]?.string ?? "" }
}

/// A user with a browser.
struct Visitor {
    let email: String
    let browser: PageBrowser

    /// A new account, and a browser that has not signed in.
    static func arrive(app: String = "app") async throws -> Visitor {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email, app: app)
        return Visitor(email: email, browser: try await PageBrowser.open(gateway, "/health/live"))
    }

    /// Follows a request to the sign-in page, signs in, and leaves for the app.
    @discardableResult
    func signIn(_ address: String) async throws -> PageBrowser {
        try await browser.visit(address)
        try await browser.passwordSignIn(email)
        return browser
    }
}
