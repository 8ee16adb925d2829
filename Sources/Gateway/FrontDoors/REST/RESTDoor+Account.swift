import Hummingbird
import JSON
import Sessions

extension RESTDoor {
    /// `GET /v1/account`.
    @Sendable func account(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("account", request, context) { _, session in
            .json(RESTAnswers.account(session.account))
        }
    }

    /// `PATCH /v1/account`: `{display_name}`, null for none.
    ///
    /// What can't be changed here is refused, not ignored.
    @Sendable func changeAccount(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("change_account", request, context) { call, session in
            let body = try await JSONBody.object(request)
            for name in ["id", "email", "email_verified", "created_at", "status"] where body[name] != nil {
                throw Rejection.invalidMember(pointer: "/\(name)", reason: "can_not_be_changed_here")
            }
            guard body["display_name"] != nil else { return .json(RESTAnswers.account(session.account)) }
            let name = try body.optional("display_name", most: 1_024)
            return .json(
                RESTAnswers.account(try await accounts.rename(to: name, session: session, caller: call.caller)))
        }
    }

    /// `GET /v1/account/identities`.
    @Sendable func identities(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("list_identities", request, context) { _, session in
            let list = try await accounts.identities(of: session.facts.account)
            return .json(["identities": .array(list.map(RESTAnswers.identity))])
        }
    }

    /// `POST /v1/account/identities`: `{provider, credential}` as in sign-in; 201 when it is new to the account.
    @Sendable func linkIdentity(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("link_identity", request, context) { call, session in
            let body = try await JSONBody.object(request)
            let provider = try body.required("provider", most: 64)
            guard signIn.hasProvider(provider) else { throw Rejection.providerUnknown }
            call.provider = provider
            guard let client = clients.client(session.facts.clientID) else { throw Rejection.clientUnknown }
            let asked = SignInRequest(client: client, device: DeviceHint(), caller: call.caller)
            let (identity, isNew) = try await accounts.link(
                provider: provider, credential: try body.object("credential"), session: session, request: asked)
            return .json(["identity": RESTAnswers.identity(identity)], status: isNew ? .created : .ok)
        }
    }

    /// `DELETE /v1/account/identities/{id}`.
    @Sendable func unlinkIdentity(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("unlink_identity", request, context) { call, session in
            try await accounts.unlink(try pathID(context), session: session, caller: call.caller)
            return Response(status: .noContent)
        }
    }
}
