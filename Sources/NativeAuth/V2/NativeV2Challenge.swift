import Clients
import HTTPServer
import HTTPTypes
import Hummingbird
import JSON
import SignIn
import Vocabulary

/// `/oauth2/v2.0/authorize-challenge`: the start of a journey, and its end.
struct NativeV2Challenge: NativeAuthOperations {
    let calls: NativeAuthCalls

    /// `POST /oauth2/v2.0/authorize-challenge`: with a continuation token the end, otherwise the start.
    @Sendable func authorize(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let ids = NativeAuthIDs(request)
        return try await calls.answer("sign_in", request, context, ids) { call in
            let form = try await FormBody.read(request)
            if let token = form["continuation_token"] {
                return .native(["code": .string(try resume(token, context, &call))], ids)
            }
            return .native(
                .object(try start(form, context, &call)), ids, status: .unauthorized,
                headers: [.wwwAuthenticate: "Bearer"])
        }
    }

    /// The links of the journeys that the app can begin.
    private func start(
        _ form: FormBody, _ context: GatewayContext, _ call: inout DoorCall
    ) throws -> JSONObject {
        let (client, _) = try client(form, context, &call)
        let links = NativeV2Links(tenant: context.parameters.get("realm") ?? "")
        var continuation = Continuation(.start, client: client.id, username: "").due(.entry)
        continuation.scope = form["scope"]
        var answer: JSONObject = [
            "continuation_token": try continuationToken(continuation), "sign_in": .string(links.signIn),
        ]
        if client.signUpNames.contains(.email) { answer["sign_up"] = .string(links.signUp) }
        if client.allows(provider: FirstFactor.password.rawValue) { answer["reset_password"] = .string(links.reset) }
        return answer
    }

    /// The authorization code of a proved session.
    private func resume(_ token: String, _ context: GatewayContext, _ call: inout DoorCall) throws -> String {
        guard let continuation = try? calls.continuations.open(token), continuation.step == .resume,
            let (client, _) = try? calls.app(of: continuation, at: context.parameters.get("realm") ?? "")
        else { throw NativeAuthError.notResumable }
        call.clientID = client.id
        return try calls.continuations.code(continuation)
    }
}
