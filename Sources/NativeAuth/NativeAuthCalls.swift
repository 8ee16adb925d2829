import Clients
import Foundation
import HTTPServer
import HTTPTypes
import Hummingbird
import JSON
import Logging
import Messages
import Sessions
import SignIn
import Vocabulary

/// The log, the clients and the tokens that every call of native authentication needs.
struct NativeAuthCalls: Sendable {
    let log: CallLog
    let clients: ClientRegistry
    let continuations: ContinuationTokens
    let flows: SignInFlows
    let confirmed: ConfirmedSessions
    /// The gateway's public address.
    let publicURL: String
    let logger: Logger
}

/// A call of either version with its app and its caller.
protocol NativeAuthAsking: LoggedCall {
    var client: Client { get }
}

extension NativeAuthAsking {
    var caller: Caller { logged.caller }

    /// A request to begin a sign-in at this door.
    func asked(handing: SessionHanding = .tokens) -> SignInRequest {
        SignInRequest(
            client: client, device: DeviceHint(unmarked: nil), handing: handing, tokens: .nativeAuth,
            renewsFlowTokens: true, caller: caller)
    }

    /// A call about a pending flow.
    func about(_ flow: String, handing: SessionHanding = .tokens) -> FlowCall {
        FlowCall(
            flow, of: client, device: DeviceHint(unmarked: nil), handing: handing, tokens: .nativeAuth,
            renewsFlowTokens: true, caller: caller)
    }
}

/// A call with its app and its parameters.
struct NativeAuthCall: Sendable, NativeAuthAsking {
    let client: Client
    let app: NativeAuthApp
    let form: FormBody
    var logged: DoorCall

    /// A required parameter.
    func required(_ name: String, most: Int = 8_192) throws(NativeAuthError) -> String {
        guard let text = form[name], text.utf8.count <= most else { throw .parameter(name) }
        return text
    }

    /// Authenticates a confidential app by `client_secret` (RFC 6749 §3.2.1): a token endpoint calls it first.
    func authenticateApp() throws(Rejection) {
        guard client.kind == .public || client.authenticates(secret: form["client_secret"] ?? "") else {
            throw .clientAuthenticationFailed
        }
    }

    /// `challenge_type`, a list that must have `redirect`; nil if it is not sent.
    func challengeTypes() throws(NativeAuthError) -> Set<String>? {
        guard let text = form["challenge_type"] else { return nil }
        let types = Set(text.words)
        guard types.isSubset(of: ["oob", "password", "redirect"]) else { throw .unknownChallenge }
        guard types.contains("redirect") else { throw .withoutRedirect }
        return types
    }

    /// `capabilities`; an older revision of the reference calls it `capability`, with commas.
    var capabilities: Set<String> {
        let text = form["capabilities"] ?? form["capability"] ?? ""
        return Set(text.split { $0 == " " || $0 == "," }.map(String.init))
    }
}

/// A group of calls of native authentication.
protocol NativeAuthOperations: Sendable {
    var calls: NativeAuthCalls { get }
}

extension NativeAuthOperations {
    var flows: SignInFlows { calls.flows }

    /// Answers a call: every refusal is an error of the protocol with status 400, because SDKs read no other body.
    func answer(
        _ action: String, _ request: Request, _ context: GatewayContext,
        _ body: (inout NativeAuthCall) async throws -> JSONObject
    ) async throws -> Response {
        let ids = NativeAuthIDs(request)
        return try await calls.answer(action, request, context, ids) { call in
            let form = try await FormBody.read(request)
            let (client, app) = try client(form, context, &call)
            var native = NativeAuthCall(client: client, app: app, form: form, logged: call)
            defer { call = native.logged }
            do {
                return .native(.object(try await body(&native)), ids)
            } catch let redirect as NativeAuthRedirect {
                return .native(redirect.json, ids)
            }
        }
    }

    /// The app that a form names.
    func client(
        _ form: FormBody, _ context: GatewayContext, _ call: inout DoorCall
    ) throws -> (Client, NativeAuthApp) {
        guard let id = form["client_id"] else { throw NativeAuthError.parameter("client_id") }
        guard let client = calls.clients.nativeClient(id), let app = client.dialects.nativeAuth,
            app.isTenant(context.parameters.get("realm") ?? "")
        else { throw NativeAuthError.unknownClient }
        call.clientID = client.id
        return (client, app)
    }

    // MARK: Continuation

    /// The series of the call.
    func continuation(
        _ call: NativeAuthCall, in series: Continuation.Series...
    ) throws -> Continuation {
        let text = try call.required("continuation_token")
        let continuation = try calls.continuations.open(text, of: call.client)
        guard series.contains(continuation.series), continuation.step == nil else { throw NativeAuthError.wrongSeries }
        return continuation
    }

    /// The pending flow of a series.
    func flow(_ continuation: Continuation) throws(NativeAuthError) -> String {
        guard let flow = continuation.flow else { throw .wrongSeries }
        return flow
    }

    func continuationToken(_ continuation: Continuation) throws(Rejection) -> JSON {
        .string(try calls.continuations.text(continuation))
    }

    /// Announces a sent code.
    func announce(_ pending: PendingStep, _ continuation: Continuation) throws -> JSONObject {
        guard let sent = pending.step.delivery else { throw NativeAuthError.wrongSeries }
        return [
            "continuation_token": try continuationToken(continuation.at(pending.flow, isChallenged: true)),
            "challenge_type": "oob",
            "binding_method": "prompt", "challenge_channel": sent.medium == .sms ? "sms" : "email",
            "challenge_target_label": .string(sent.destination), "code_length": .integer(sent.codeLength),
            "interval": .integer(sent.resendAfter),
        ]
    }

    /// Announces the code that was sent when the step opened, or sends another one.
    func announceOrResend(
        _ continuation: Continuation, _ call: NativeAuthCall, for purpose: FlowPurpose? = nil
    ) async throws -> JSONObject {
        let flow = call.about(try flow(continuation))
        guard continuation.isChallenged else { return try announce(try await flows.waiting(flow), continuation) }
        return try announce(try await flows.resend(flow, for: purpose), continuation)
    }
}
