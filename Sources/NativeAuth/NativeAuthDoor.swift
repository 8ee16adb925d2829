import Clients
import Foundation
import HTTPServer
import HTTPTypes
import Hummingbird
import JSON
import NIOCore
import Pages
import Sessions
import SignIn

/// Version 1 of Microsoft's native authentication API, for apps that enable this dialect.
///
/// The first segment of every address names the tenant.
struct NativeAuthDoor: FrontDoor {
    let signIn: NativeAuthSignIn
    let signUp: NativeAuthSignUp
    let reset: NativeAuthReset
    let registration: NativeAuthRegistration
    let signingKeys: SigningKeys

    private var calls: NativeAuthCalls { signIn.calls }

    func mount(on router: Router<GatewayContext>) {
        let tenant = router.group(":realm")
        tenant.post("oauth2/v2.0/initiate", use: signIn.initiate)
        tenant.post("oauth2/v2.0/challenge", use: signIn.challenge)
        tenant.post("oauth2/v2.0/introspect", use: signIn.introspect)
        tenant.post("oauth2/v2.0/token", use: signIn.token)
        tenant.post("signup/v1.0/start", use: signUp.start)
        tenant.post("signup/v1.0/challenge", use: signUp.challenge)
        tenant.post("signup/v1.0/continue", use: signUp.goOn)
        tenant.post("resetpassword/v1.0/start", use: reset.start)
        tenant.post("resetpassword/v1.0/challenge", use: reset.challenge)
        tenant.post("resetpassword/v1.0/continue", use: reset.goOn)
        tenant.post("resetpassword/v1.0/submit", use: reset.submit)
        tenant.post("resetpassword/v1.0/poll_completion", use: reset.poll)
        tenant.post("register/v1.0/introspect", use: registration.introspect)
        tenant.post("register/v1.0/challenge", use: registration.challenge)
        tenant.post("register/v1.0/continue", use: registration.goOn)
        tenant.get("oauth2/v2.0/authorize", use: authorize)
        tenant.get("v2.0/.well-known/openid-configuration", use: metadata)
        tenant.get("discovery/v2.0/keys", use: keySet)
    }

    /// `GET /{tenant}/oauth2/v2.0/authorize`: the sign-in in a browser, after a `redirect`.
    @Sendable func authorize(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let fields = try FormBody(Array((request.uri.query ?? "").utf8))
        let client = fields["client_id"].flatMap(calls.clients.nativeClient)
        return .seeOther(DialectAuthorization(fields, of: client, in: .nativeAuth).address(of: "/login"))
    }

    /// `GET /{tenant}/v2.0/.well-known/openid-configuration`, which MSAL on Apple's systems reads at its first refresh.
    @Sendable func metadata(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let segment = context.parameters.get("realm") ?? ""
        guard let app = calls.clients.nativeTenant(segment) else { throw Problem.notFound }
        let base = "\(calls.publicURL)/\(segment)"
        return .json(
            [
                "issuer": .string(app.issuer(at: calls.publicURL)),
                "authorization_endpoint": .string("\(base)/oauth2/v2.0/authorize"),
                "token_endpoint": .string("\(base)/oauth2/v2.0/token"),
                "end_session_endpoint": .string("\(base)/oauth2/v2.0/logout"),
                "jwks_uri": .string("\(base)/discovery/v2.0/keys"), "response_types_supported": ["code"],
                "response_modes_supported": .array(ResponseMode.allCases.map { .string($0.rawValue) }),
                "prompt_values_supported": .array(LoginPrompt.allCases.map { .string($0.rawValue) }),
                "code_challenge_methods_supported": ["S256"], "authorization_response_iss_parameter_supported": true,
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": [.string(TokenProfile.Algorithm.rs256.rawValue)],
            ], headers: [.cacheControl: "public, max-age=300"])
    }

    /// `GET /{tenant}/discovery/v2.0/keys` (RFC 7517 §5).
    @Sendable func keySet(_ request: Request, _ context: GatewayContext) async throws -> Response {
        guard calls.clients.nativeTenant(context.parameters.get("realm") ?? "") != nil else { throw Problem.notFound }
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/json",
                .cacheControl: "public, max-age=\(SigningKeys.publicationLead / 3)",
            ],
            body: .init(byteBuffer: ByteBuffer(bytes: signingKeys.document(of: .rs256))))
    }
}
