import Clients
import HTTPServer
import Hummingbird
import JSON
import Providers
import Sessions
import SignIn
import Vocabulary

extension RESTAccountDoor {
    /// `GET /v1/account`.
    @Sendable func account(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("account", request, context) { _, session in
            .json(RESTAnswers.profile(try await accounts.profile(session)))
        }
    }

    /// `PATCH /v1/account`: `{display_name, attributes, first_factor}`; null removes a value.
    ///
    /// It refuses members that it cannot change, instead of ignoring them.
    @Sendable func changeAccount(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("change_account", request, context) { call, session in
            let body = try await JSONBody.changes(request)
            for name in Self.unchangeable where body[name] != nil {
                throw Problem.invalidMember("/\(name)", "can_not_be_changed_here")
            }
            _ = try body.limited(to: ["display_name", "attributes", "first_factor"])
            return .json(
                RESTAnswers.profile(try await accounts.change(body, session: session, caller: call.caller)))
        }
    }

    /// Addresses and phone numbers have endpoints of their own.
    private static let unchangeable = [
        "id", "email", "email_verified", "user_name", "phone", "phone_verified", "created_at", "status",
    ]

    /// `GET /v1/account/identities`.
    @Sendable func identities(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("list_identities", request, context) { _, session in
            let list = try await accounts.identities(of: session.facts.account)
            return .json(["identities": .array(list.map(RESTAnswers.identity))])
        }
    }

    /// `POST /v1/account/identities`: `{provider, credential}` as in sign-in; 201 if the identity is new to the
    /// account.
    ///
    /// A guest also gets a session to go on with.
    @Sendable func linkIdentity(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("link_identity", request, context) { call, session in
            call.fieldsUnder = "/credential"
            let body = try await JSONBody.object(request, of: "provider", "credential")
            let provider = try body.required("provider", most: 64)
            guard let client = clients.client(session.facts.clientID) else { throw Rejection.clientUnknown() }
            guard flows.takesToken(of: provider) else {
                let offered = client.providers.filter(flows.takesToken)
                throw Rejection.providerUnknown(SentText(provider), offered: offered)
            }
            call.provider = provider
            let asked = SignInRequest(client: client, device: DeviceHint(), caller: call.caller)
            let credential = PresentedCredential(try body.object("credential"))
            let linked = try await flows.link(provider, credential, to: session, asked)
            var answer: JSONObject = ["identity": RESTAnswers.identity(linked.identity)]
            answer["session"] = linked.renewed.map(RESTAnswers.issued)
            return .json(.object(answer), status: linked.isNew ? .created : .ok)
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
