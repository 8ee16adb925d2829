import Foundation
import Hummingbird
import JSON
import NIOCore
import Sessions

extension RESTDoor {
    /// `POST /v1/token/introspect` (RFC 7662): form `token`, `token_type_hint`?; the client authenticates with its secret.
    @Sendable func introspect(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("introspect", request, context) { call in
            let form = try await FormBody.read(request)
            let client = try authenticated(request, form, &call, needsSecret: true)
            guard let token = form["token"] else {
                throw Rejection.invalidMember(pointer: "/token", reason: "required")
            }
            return .json(.object(try await inspector.introspect(token, client: client, at: Date())))
        }
    }

    /// `POST /v1/token/revoke` (RFC 7009): form `token`, `token_type_hint`?.
    ///
    /// A public client names itself by `client_id`.
    @Sendable func revoke(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("revoke", request, context) { call in
            let form = try await FormBody.read(request)
            let client = try authenticated(request, form, &call, needsSecret: false)
            guard let token = form["token"] else {
                throw Rejection.invalidMember(pointer: "/token", reason: "required")
            }
            try await inspector.revoke(token, client: client, caller: call.caller, at: Date())
            return Response(status: .ok)
        }
    }

    /// `GET /.well-known/jwks.json` (RFC 7517 §5).
    ///
    /// May be kept as long as a key is public before its first use.
    @Sendable func keySet(_ request: Request, _ context: GatewayContext) async throws -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "application/jwk-set+json",
                .cacheControl: "public, max-age=\(SigningKeys.publicationLead / 3)",
            ],
            body: .init(byteBuffer: ByteBuffer(bytes: signingKeys.document)))
    }

    /// `GET /.well-known/openid-configuration`: what exists, and nothing that doesn't.
    @Sendable func metadata(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let methods: JSON = ["client_secret_basic", "client_secret_post"]
        return .json(
            [
                "issuer": .string(issuer), "jwks_uri": .string(issuer + "/.well-known/jwks.json"),
                "introspection_endpoint": .string(issuer + "/v1/token/introspect"),
                "introspection_endpoint_auth_methods_supported": methods,
                "revocation_endpoint": .string(issuer + "/v1/token/revoke"),
                "revocation_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
                "response_types_supported": [], "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["ES256"],
            ], headers: [.cacheControl: "public, max-age=300"])
    }

    /// The client that asks: by HTTP Basic or by form (RFC 6749 §2.3.1), never by both.
    private func authenticated(
        _ request: Request, _ form: FormBody, _ call: inout RESTCall, needsSecret: Bool
    ) throws(Rejection) -> Client {
        let basic = try Self.basicCredentials(request)
        guard basic == nil || (form["client_secret"] == nil) else { throw .clientAuthenticationFailed }
        guard let id = basic?.id ?? form["client_id"], let client = clients.client(id) else {
            throw .clientAuthenticationFailed
        }
        call.clientID = id
        if let secret = basic?.secret ?? form["client_secret"] {
            guard client.authenticates(secret: secret) else { throw .clientAuthenticationFailed }
            return client
        }
        guard !needsSecret, client.secretDigest == nil else { throw .clientAuthenticationFailed }
        return client
    }

    /// Both halves are form-encoded inside (RFC 6749 §2.3.1).
    private static func basicCredentials(_ request: Request) throws(Rejection) -> (id: String, secret: String)? {
        guard let header = request.headers[.authorization] else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic", let bytes = Data(base64Encoded: String(parts[1])),
            let text = String(validating: bytes, as: UTF8.self)
        else { throw .clientAuthenticationFailed }
        let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, let id = halves[0].removingPercentEncoding,
            let secret = halves[1].removingPercentEncoding
        else {
            throw .clientAuthenticationFailed
        }
        return (id, secret)
    }
}
