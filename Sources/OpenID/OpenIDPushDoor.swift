import Authorization
import Clients
import HTTPServer
import Hummingbird
import JSON
import Sessions
import Vocabulary

/// Pushed authorization requests (RFC 9126): a client sends its request itself, and the browser brings a reference.
struct OpenIDPushDoor: OAuthDoor {
    let log: CallLog
    let authentication: ClientAuthentication
    let directory: SessionDirectory
    let requests: AuthorizationRequests
    let documents: ClientDocuments
    let clients: ClientRegistry
    let proofs: KeyProofs

    func mount(on router: Router<GatewayContext>) {
        router.post("v1/par", use: push)
    }

    /// `POST /v1/par`: the parameters of `/authorize`, and the client's authentication as at the token endpoint.
    @Sendable func push(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("push_request", request, context) { call in
            let form = try await FormBody.read(request, allowsRepeated: true)
            try await documents.meet(form["client_id"], caller: call.caller)
            let client = try await authentication.client(request, form, &call, by: .kind)
            try await call.prove(request, by: proofs)
            let parameters = AuthorizationParameters(form.fields).naming(client: client.publicID)
                .naming(key: call.caller.key)
            guard parameters["request_uri"] == nil else { throw Problem.invalidMember("/request_uri", "not_allowed") }
            let place = try AnswerPlace(parameters, of: client)
            _ = try AuthorizationRequest(parameters, at: place, among: clients.resources, isPushed: true)
            let reference = try await requests.store(
                parameters, of: client, isPushed: true, caller: call.caller, at: directory.now)
            return .json(
                [
                    "request_uri": .string(AuthorizationRequests.requestURI(of: reference)),
                    "expires_in": .integer(AuthorizationRequests.pushedLife),
                ], status: .created)
        }
    }
}
