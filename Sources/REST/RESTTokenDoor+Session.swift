import Clients
import HTTPServer
import HTTPTypes
import Hummingbird
import JSON
import Sessions
import Vocabulary

extension RESTTokenDoor {
    /// `POST /v1/token/refresh`: `{refresh_token}`.
    ///
    /// A confidential client authenticates by HTTP Basic, or by `client_id` and `client_secret`. Without a named client, the
    /// statement accepts only a public client's token.
    @Sendable func refresh(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("refresh", request, context) { call in
            let body = try await JSONBody.object(request, of: "refresh_token", "client_id", "client_secret")
            let client = try ClientAuthentication(clients: clients).clientIfNamed(
                request, id: try body.optional("client_id", most: 64), secret: try body.optional("client_secret"), &call
            )
            let issued = try await sessions.refresh(
                try body.required("refresh_token"), of: client, at: .gateway, caller: call.caller)
            return .json(["session": RESTAnswers.issued(issued)])
        }
    }

    /// `GET /v1/session`: the session of the bearer token, or of a browser's cookie.
    ///
    /// An app without the gateway's own API asks UserInfo instead (``Client/usesOwnAPI``).
    @Sendable func session(_ request: Request, _ context: GatewayContext) async throws -> Response {
        guard let cookie = RequestCookies(request.headers)[CookieName.session],
            request.headers.credentials(.bearer) == nil, request.headers.credentials(.dpop) == nil
        else {
            return try await answerSignedIn("session", request, context, for: nil) { _, session in
                guard clients.usesOwnAPI(session) else { throw Rejection.audienceNotAllowed }
                return .json(RESTAnswers.session(session))
            }
        }
        return try await answer("session", request, context) { call in
            guard let parsed = sessionCookies.parse(cookie) else { throw Rejection.cookieMalformed }
            let now = directory.now
            let session = try await sessions.current(
                try await directory.check(parsed, at: now), caller: call.caller, at: now)
            try call.isBy(session)
            try judgeOrigin(request, session)
            return .json(RESTAnswers.session(session))
        }
    }

    /// Hides the session from pages of origins that the session's client has not registered.
    ///
    /// Pages of other apps, and of an app without the gateway's own API, receive the answer for a browser without a session.
    private func judgeOrigin(_ request: Request, _ session: SessionSnapshot) throws {
        guard let origin = request.headers.value(.origin), origin != issuer else { return }
        guard clients.allows(origin: origin) else { throw Problem.originNotAllowed }
        guard let client = clients.client(session.facts.clientID), client.origins.contains(origin),
            client.usesOwnAPI
        else { throw Rejection.tokenMissing }
    }

    /// `POST /v1/sign-out`: `{scope: "local" | "global"}`.
    @Sendable func signOut(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("sign_out", request, context, for: nil, isHarmless: true) { call, session in
            let scope = try await JSONBody.object(request, of: "scope").optional("scope") ?? "local"
            let facts = session.facts
            switch scope {
            case "local":
                try await sessions.end(
                    facts.session, of: facts.account, reason: "signed_out", client: facts.clientID, caller: call.caller)
            case "global":
                // A global sign-out also ends the sessions of other apps.
                try call.isBy(session)
                try clients.require(.account, of: session)
                try await sessions.endAll(
                    of: facts.account, asking: facts.session, client: facts.clientID, caller: call.caller)
            default: throw Problem.invalidMember("/scope", "must_be_local_or_global")
            }
            return Response(status: .noContent)
        }
    }
}
