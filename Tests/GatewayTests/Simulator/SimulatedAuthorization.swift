import Cryptography
import Foundation

/// An app's redirect to a simulated provider, and the exchange of the returned code.
struct SimulatedAuthorization: Sendable, CustomStringConvertible {
    let provider: String
    let path: String
    let tokenPath: String
    /// The parameters in addition to client, redirect address, state and PKCE.
    let further: [String: String]
    let clientID: String
    let clientSecret: String
    /// Whether the client authenticates only by Basic.
    var usesBasic = false
    /// The issuer in answers (RFC 9207).
    var answerIssuer: String?
    /// The provider's error for a spent code.
    var spentCode = "invalid_grant"

    var description: String { provider }
    var redirectURI: String { "http://localhost:8080/login/\(provider)/callback" }

    static let state = "a state <with> \"markup\" & more"
    static let nonce = "the nonce"
    static let verifier = String(repeating: "v", count: 43)

    /// The authorization request; a nil change omits a parameter.
    func request(_ changes: [String: String?] = [:]) -> String {
        var parameters: [String: String?] = [
            "client_id": clientID, "redirect_uri": redirectURI, "state": Self.state,
            "code_challenge": PKCE.challenge(Self.verifier), "code_challenge_method": "S256",
        ]
        parameters.merge(further) { $1 }
        parameters.merge(changes) { $1 }
        let query = parameters.compactMap { name, value in value.map { "\(name)=\(Self.escaped($0))" } }
        return path + "?" + query.sorted().joined(separator: "&")
    }

    /// The token request for a code; a nil change omits a field.
    func exchange(_ code: String, _ changes: [String: String?] = [:]) -> TestRequest {
        var fields: [String: String?] = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": redirectURI,
            "code_verifier": Self.verifier, "client_id": clientID, "client_secret": clientSecret,
        ]
        fields.merge(changes) { $1 }
        var request = TestRequest("POST", tokenPath).header("Accept", "application/json")
        if usesBasic {
            let proof = "\(fields["client_id"].flatMap(\.self) ?? ""):\(fields["client_secret"].flatMap(\.self) ?? "")"
            request = request.header("Authorization", "Basic " + Data(proof.utf8).base64EncodedString())
            fields["client_id"] = .some(nil)
            fields["client_secret"] = .some(nil)
        }
        return request.form(fields.compactMap { name, value in value.map { (name, $0) } })
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}

extension SimulatedAuthorization {
    /// Every provider with a plain client secret.
    static let plain: [SimulatedAuthorization] = [amazon, microsoft, google, acme, github, facebook, line, discord, x]

    static let apple = SimulatedAuthorization(
        provider: "apple", path: "/apple/auth/authorize", tokenPath: "/apple/auth/token",
        further: [
            "response_type": "code id_token", "response_mode": "form_post", "scope": "name email", "nonce": nonce,
        ], clientID: "com.example.web", clientSecret: "")

    static let amazon = SimulatedAuthorization(
        provider: "amazon", path: "/amazon/ap/oa", tokenPath: "/amazon/auth/o2/token",
        further: ["response_type": "code", "scope": "profile"], clientID: "amzn1.application-oa2-client.example",
        clientSecret: "amazon-secret")

    static let microsoft = SimulatedAuthorization(
        provider: "microsoft", path: "/microsoft/common/oauth2/v2.0/authorize",
        tokenPath: "/microsoft/aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee/oauth2/v2.0/token", further: openIDConnect,
        clientID: "11111111-2222-3333-4444-555555555555", clientSecret: "microsoft-secret")

    static let google = SimulatedAuthorization(
        provider: "google", path: "/google/authorize", tokenPath: "/google/token", further: openIDConnect,
        clientID: "google-client.apps.googleusercontent.com", clientSecret: "google-secret")

    static let acme = SimulatedAuthorization(
        provider: "acme", path: "/acme/authorize", tokenPath: "/acme/token", further: openIDConnect,
        clientID: "acme-client", clientSecret: "acme-secret", answerIssuer: "https://id.acme.example")

    static let github = SimulatedAuthorization(
        provider: "github", path: "/github/login/oauth/authorize", tokenPath: "/github/login/oauth/access_token",
        further: ["scope": "user:email"], clientID: "Iv1.examplegithub01", clientSecret: "github-secret",
        spentCode: "bad_verification_code")

    private static let openIDConnect = [
        "response_type": "code", "scope": "openid email profile", "nonce": nonce, "ui_locales": "fr de",
    ]
}
