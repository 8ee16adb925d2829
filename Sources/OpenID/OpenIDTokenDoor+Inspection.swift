import HTTPServer
import Hummingbird
import JSON
import Sessions

extension OpenIDTokenDoor {
    /// `POST /v1/token/introspect` (RFC 7662): form `token`, `token_type_hint`?.
    ///
    /// The client authenticates with its secret. A public client uses the secret of its back end.
    @Sendable func introspect(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("introspect", request, context) { call in
            let form = try await FormBody.read(request)
            let client = try await authentication.client(request, form, &call, by: .secret)
            let token = try form.required("token")
            return .json(.object(try await inspector.introspect(token, client: client, at: directory.now)))
        }
    }

    /// `POST /v1/token/revoke` (RFC 7009): form `token`, `token_type_hint`?.
    ///
    /// A confidential client authenticates. A public client sends its `client_id`.
    @Sendable func revoke(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("revoke", request, context) { call in
            let form = try await FormBody.read(request)
            let client = try await authentication.client(request, form, &call, by: .kind)
            let token = try form.required("token")
            try await inspector.revoke(token, client: client, caller: call.caller, at: directory.now)
            return Response(status: .ok)
        }
    }
}
