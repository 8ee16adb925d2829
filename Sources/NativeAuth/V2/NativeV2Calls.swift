import Clients
import HTTPServer
import HTTPTypes
import Hummingbird
import JSON
import SignIn
import Vocabulary

/// A call at a link: only its continuation token says who calls, and what is due.
struct NativeV2Call: Sendable, NativeAuthAsking {
    let client: Client
    let app: NativeAuthApp
    let continuation: Continuation
    let body: JSONObject
    let links: NativeV2Links
    var logged: DoorCall

    /// A required text.
    func required(_ name: String, most: Int = 8_192) throws(NativeAuthError) -> String {
        guard let text = body[name]?.string, !text.isEmpty, text.utf8.count <= most else { throw .parameter(name) }
        return text
    }

    /// The flow of the journey.
    var flow: String {
        get throws(NativeV2Error) {
            guard let flow = continuation.flow else { throw .tokenRefused }
            return flow
        }
    }
}

/// A group of calls of version 2.
protocol NativeV2Operations: Sendable {
    var calls: NativeAuthCalls { get }
}

extension NativeV2Operations {
    var flows: SignInFlows { calls.flows }

    /// Answers a call at a link.
    ///
    /// - Parameters:
    ///   - action: the name of the call for metrics and the audit log.
    ///   - step: the step that the token must be at.
    ///   - series: the journeys that the call belongs to.
    func answer(
        _ action: String, _ request: Request, _ context: GatewayContext, at step: Continuation.Step,
        in series: Continuation.Series..., body: (inout NativeV2Call) async throws -> JSONObject
    ) async throws -> Response {
        let ids = NativeAuthIDs(request)
        var call = DoorCall(action, request, context)
        return try await calls.log.answer(&call) { call in
            var native = try await read(request, context, &call)
            guard native.continuation.step == step, series.contains(native.continuation.series) else {
                throw NativeV2Error.tokenRefused
            }
            defer { call = native.logged }
            do {
                return .native(.object(try await body(&native)), ids)
            } catch let redirect as NativeAuthRedirect {
                return .native(redirect.json(ids), ids, status: .badRequest)
            }
        } refusing: { error, _ in
            refused(error, at: step, ids)
        }
    }

    /// The greatest length of a body, in bytes.
    private static var longest: Int { 16_384 }

    private func read(
        _ request: Request, _ context: GatewayContext, _ call: inout DoorCall
    ) async throws -> NativeV2Call {
        let bytes = try await JSONBody.bytes(request)
        guard bytes.readableBytes <= Self.longest else { throw Problem.bodyTooLarge }
        let body = try JSONBody.object(bytes)
        guard let text = body["continuationToken"]?.string else { throw NativeV2Error.tokenRefused }
        let continuation = try calls.continuations.open(text)
        let tenant = context.parameters.get("realm") ?? ""
        let (client, app) = try calls.app(of: continuation, at: tenant)
        call.clientID = client.id
        return NativeV2Call(
            client: client, app: app, continuation: continuation, body: body, links: NativeV2Links(tenant: tenant),
            logged: call)
    }

    private func refused(
        _ error: any Error, at step: Continuation.Step, _ ids: NativeAuthIDs
    ) -> RefusedCall<DoorCall> {
        if let problem = error as? Problem {
            let status = problem.status == .unsupportedMediaType ? problem.status : .badRequest
            return RefusedCall(problem.code, of: nil) { _ in
                .native(NativeV2Error(.parameter("request")).json(ids), ids, status: status)
            }
        }
        if let known = error as? NativeV2Error ?? (error as? NativeAuthError).map({ NativeV2Error($0) }) {
            return RefusedCall(known.logged, of: nil) { _ in .native(known.json(ids), ids, status: .badRequest) }
        }
        let rejection = Rejection(error, calls.logger)
        return RefusedCall(rejection.code, of: rejection) { _ in response(rejection, at: step, ids) }
    }

    private func response(_ rejection: Rejection, at step: Continuation.Step, _ ids: NativeAuthIDs) -> Response {
        if let redirect = NativeAuthRedirect(rejection, publicURL: calls.publicURL) {
            return .native(redirect.json(ids), ids, status: .badRequest)
        }
        let error = NativeV2Error(rejection, at: step)
        var headers = HTTPFields()
        if let seconds = error.retryAfter { headers[.retryAfter] = String(seconds) }
        return .native(error.json(ids), ids, status: .badRequest, headers: headers)
    }
}

extension NativeAuthCalls {
    /// The app of a continuation token.
    ///
    /// - Throws: ``NativeV2Error/tokenRefused`` for one that does not speak the dialect, or has another tenant.
    func app(of continuation: Continuation, at tenant: String) throws(NativeV2Error) -> (Client, NativeAuthApp) {
        guard let client = clients.client(continuation.client), let app = client.dialects.nativeAuth,
            app.isTenant(tenant)
        else { throw .tokenRefused }
        return (client, app)
    }
}
