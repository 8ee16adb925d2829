import Clients
import HTTPServer
import Hummingbird
import JSON
import NIOCore
import Sessions
import SignIn

/// The published documents of user pools.
struct CognitoMetadataDoor: FrontDoor {
    let clients: ClientRegistry
    let signingKeys: SigningKeys
    /// The gateway's public address.
    let publicURL: String

    func mount(on router: Router<GatewayContext>) {
        router.get(":realm/.well-known/jwks.json", use: keySet)
        router.get(":realm/.well-known/openid-configuration", use: metadata)
    }

    /// `GET /{pool}/.well-known/jwks.json` (RFC 7517 §5): the RSA keys of the pools' tokens.
    @Sendable func keySet(_ request: Request, _ context: GatewayContext) async throws -> Response {
        _ = try pool(context)
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/json",
                .cacheControl: "public, max-age=\(SigningKeys.publicationLead / 3)",
            ],
            body: .init(byteBuffer: ByteBuffer(bytes: signingKeys.document(of: .rs256))))
    }

    /// `GET /{pool}/.well-known/openid-configuration` (OpenID Connect Discovery 1.0 §3).
    @Sendable func metadata(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let issuer = "\(publicURL)/\(try pool(context))"
        return .json(
            [
                "issuer": .string(issuer), "jwks_uri": .string(issuer + "/.well-known/jwks.json"),
                "authorization_endpoint": .string("\(publicURL)/oauth2/authorize"),
                "token_endpoint": .string("\(publicURL)/oauth2/token"),
                "userinfo_endpoint": .string("\(publicURL)/oauth2/userInfo"),
                "revocation_endpoint": .string("\(publicURL)/oauth2/revoke"),
                "end_session_endpoint": .string("\(publicURL)/logout"),
                "id_token_signing_alg_values_supported": [.string(TokenProfile.Algorithm.rs256.rawValue)],
                "subject_types_supported": ["public"], "response_types_supported": ["code"],
                "response_modes_supported": .array(ResponseMode.allCases.map { .string($0.rawValue) }),
                "prompt_values_supported": .array(LoginPrompt.allCases.map { .string($0.rawValue) }),
                "code_challenge_methods_supported": ["S256"], "authorization_response_iss_parameter_supported": true,
                "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
                "scopes_supported": ["openid", "email", "phone", "profile", "aws.cognito.signin.user.admin"],
            ], headers: [.cacheControl: "public, max-age=300"])
    }

    private func pool(_ context: GatewayContext) throws -> String {
        guard let pool = context.parameters.get("realm"), !clients.apps(inPool: pool).isEmpty else {
            throw Problem.notFound
        }
        return pool
    }
}
