import Authorization
import Clients
import Foundation
import HTTPServer
import Hummingbird
import JSON
import NIOCore
import Sessions
import SignIn

/// The published documents: keys, and the metadata of the provider.
struct OpenIDMetadataDoor: FrontDoor {
    let signingKeys: SigningKeys
    let clients: ClientRegistry
    /// The public address; `iss` of our tokens.
    let issuer: String
    let agents: AgentServices
    let assertions: AssertionSignIn
    let readyKeys: @Sendable () async throws -> Void

    func mount(on router: Router<GatewayContext>) {
        router.get(".well-known/jwks.json", use: keySet)
        router.get(".well-known/openid-configuration", use: metadata)
        router.get(".well-known/oauth-authorization-server", use: metadata)
        for resource in OwnResource.all {
            router.get(RouterPath(resource.metadataPath)) { _, _ in answer(resource) }
        }
    }

    /// `GET /.well-known/jwks.json` (RFC 7517 §5).
    ///
    /// A cache may keep it for a third of the time in which a key is public before its first use.
    @Sendable func keySet(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await readyKeys()
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/jwk-set+json",
                .cacheControl: "public, max-age=\(SigningKeys.publicationLead / 3)",
            ],
            body: .init(byteBuffer: ByteBuffer(bytes: signingKeys.document)))
    }

    /// `GET /.well-known/openid-configuration` (OpenID Connect Discovery 1.0 §3), and the same for OAuth clients (RFC 8414).
    ///
    /// Only the features that exist. Some clients refuse the whole document for one value that they do not know.
    @Sendable func metadata(_ request: Request, _ context: GatewayContext) async throws -> Response {
        .json(
            .object(document), headers: [.cacheControl: "public, max-age=300"])
    }

    /// `GET /.well-known/oauth-protected-resource`, also before the path of a part of the API (RFC 9728 §3.1).
    ///
    /// It leads apps of the operator to their tokens; the page that it names says that no other app gets one.
    private func answer(_ resource: OwnResource) -> Response {
        var document = ResourceMetadata(of: resource, issuer: issuer).json
        document["resource_documentation"] = .string(issuer + ErrorCatalogue.path(of: "access_token_missing"))
        return .json(.object(document), headers: [.cacheControl: "public, max-age=300"])
    }

    private var document: JSONObject {
        var document = features
        if agents.documents.policy.isOn { document["client_id_metadata_document_supported"] = true }
        // A listed endpoint that refuses everybody would be worse than none.
        if agents.registrations.policy.isOn {
            document["registration_endpoint"] = .string(issuer + OpenIDRegistrationDoor.path)
        }
        // Of the draft about ID-JAG, each side by its own setting.
        if assertions.isOn {
            document["authorization_grant_profiles_supported"] = [.string(AssertionSignIn.profile)]
        }
        if clients.hasAssertionAudiences {
            document["identity_chaining_requested_token_types_supported"] = [.string(TokenExchanger.assertionType)]
        }
        return document
    }

    private var grantTypes: [String] {
        let always = [
            "authorization_code", "refresh_token", "client_credentials", TokenExchanger.grantType,
            DeviceRequests.grantType,
        ]
        return assertions.isOn ? always + [AssertionSignIn.grantType] : always
    }

    /// The gateway's own, and those that every app may ask for (RFC 9728 §4).
    private var resources: [String] {
        OwnResource.all.map { $0.identifier(issuer: issuer) } + clients.resources.publicIdentifiers
    }

    private var features: JSONObject {
        [
            "issuer": .string(issuer), "jwks_uri": .string(issuer + "/.well-known/jwks.json"),
            "authorization_endpoint": .string(issuer + "/authorize"), "response_types_supported": ["code"],
            "response_modes_supported": ["query", "form_post"],
            "prompt_values_supported": .array(LoginPrompt.allCases.map { .string($0.rawValue) }),
            "pushed_authorization_request_endpoint": .string(issuer + "/v1/par"),
            "require_pushed_authorization_requests": false,
            "device_authorization_endpoint": .string(issuer + "/v1/device_authorization"),
            "token_endpoint": .string(issuer + "/v1/token"),
            "token_endpoint_auth_methods_supported": [
                "none", "client_secret_basic", "client_secret_post", "private_key_jwt",
            ],
            "token_endpoint_auth_signing_alg_values_supported": .array(
                ClientAssertion.algorithmNames.map(JSON.string)),
            "userinfo_endpoint": .string(issuer + "/userinfo"),
            "end_session_endpoint": .string(issuer + "/end-session"),
            "backchannel_logout_supported": true, "backchannel_logout_session_supported": true,
            "grant_types_supported": .array(grantTypes.map(JSON.string)),
            "scopes_supported": .array(
                (TokenScope.own.map(\.rawValue) + clients.resources.publicScopes).map(JSON.string)),
            "claims_supported": .array(TokenScope.own.flatMap(\.claims).map(JSON.string)),
            "claims_parameter_supported": true,
            "acr_values_supported": .array(AuthorizationDecision.levels.map(JSON.string)),
            "protected_resources": .array(resources.map(JSON.string)),
            "subject_types_supported": .array(OpenIDSettings.SubjectType.allCases.map { .string($0.rawValue) }),
            "id_token_signing_alg_values_supported": .array(
                [TokenProfile.Algorithm.rs256, .es256].map { .string($0.rawValue) }),
            "dpop_signing_alg_values_supported": .array(KeyProofs.algorithms.map(JSON.string)),
            "userinfo_signing_alg_values_supported": .array(
                OpenIDSettings.UserInfoForm.allCases.compactMap(\.algorithm).map { .string($0.rawValue) }),
            "code_challenge_methods_supported": ["S256"], "authorization_response_iss_parameter_supported": true,
            "request_parameter_supported": false,
            // Absent, it would mean true.
            "request_uri_parameter_supported": false,
            "introspection_endpoint": .string(issuer + "/v1/token/introspect"),
            "introspection_endpoint_auth_methods_supported": [
                "client_secret_basic", "client_secret_post", "private_key_jwt",
            ],
            "revocation_endpoint": .string(issuer + "/v1/token/revoke"),
            "revocation_endpoint_auth_methods_supported": [
                "none", "client_secret_basic", "client_secret_post", "private_key_jwt",
            ],
            "ui_locales_supported": .array(Language.allCases.map { .string($0.rawValue) }),
        ]
    }
}
