import Clients
import Foundation
import HTTPServer
import Hummingbird
import JSON
import NIOCore
import Sessions
import SignIn

/// The published documents: keys, and the metadata of the authorization server.
struct RESTMetadataDoor: FrontDoor {
    let signingKeys: SigningKeys
    /// The public address; `iss` of our tokens.
    let issuer: String

    func mount(on router: Router<GatewayContext>) {
        router.get(".well-known/jwks.json", use: keySet)
        router.get(".well-known/openid-configuration", use: metadata)
        router.get(".well-known/oauth-authorization-server", use: authorizationServer)
    }

    /// `GET /.well-known/jwks.json` (RFC 7517 §5).
    ///
    /// A cache may keep it for a third of the time in which a key is public before its first use.
    @Sendable func keySet(_ request: Request, _ context: GatewayContext) async throws -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "application/jwk-set+json",
                .cacheControl: "public, max-age=\(SigningKeys.publicationLead / 3)",
            ],
            body: .init(byteBuffer: ByteBuffer(bytes: signingKeys.document())))
    }

    /// `GET /.well-known/openid-configuration` (OpenID Connect Discovery 1.0 §3): only the features that exist.
    ///
    /// OAuth 2.0 clients look here first. Many refuse a document without an authorization endpoint.
    @Sendable func metadata(_ request: Request, _ context: GatewayContext) async throws -> Response {
        var document = serverMetadata
        document["subject_types_supported"] = ["public"]
        document["id_token_signing_alg_values_supported"] = [.string(TokenProfile.Algorithm.es256.rawValue)]
        document["claims_supported"] = .array(TokenScope.own.flatMap(\.claims).map(JSON.string))
        // Absent, it would mean true.
        document["request_uri_parameter_supported"] = false
        return .json(.object(document), headers: [.cacheControl: "public, max-age=300"])
    }

    /// `GET /.well-known/oauth-authorization-server` (RFC 8414): for OAuth clients that need no ID token.
    @Sendable func authorizationServer(_ request: Request, _ context: GatewayContext) async throws -> Response {
        .json(.object(serverMetadata), headers: [.cacheControl: "public, max-age=300"])
    }

    private var serverMetadata: JSONObject {
        [
            "issuer": .string(issuer), "jwks_uri": .string(issuer + "/.well-known/jwks.json"),
            "authorization_endpoint": .string(issuer + "/login"), "response_types_supported": ["code"],
            "response_modes_supported": .array(ResponseMode.allCases.map { .string($0.rawValue) }),
            "prompt_values_supported": .array(LoginPrompt.allCases.map { .string($0.rawValue) }),
            "token_endpoint": .string(issuer + "/v1/token"),
            "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "scopes_supported": .array(TokenScope.own.map { .string($0.rawValue) }),
            "code_challenge_methods_supported": ["S256"], "authorization_response_iss_parameter_supported": true,
            "introspection_endpoint": .string(issuer + "/v1/token/introspect"),
            "introspection_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
            "revocation_endpoint": .string(issuer + "/v1/token/revoke"),
            "revocation_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
            "ui_locales_supported": .array(Language.allCases.map { .string($0.rawValue) }),
        ]
    }
}
