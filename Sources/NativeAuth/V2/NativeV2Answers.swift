import JSON
import SignIn
import Vocabulary

/// The answers of version 2; each has the members that all SDKs need.
extension NativeV2Operations {
    private func interaction(_ action: String, _ continuation: Continuation) throws(Rejection) -> JSONObject {
        [
            "state": "interactionRequired", "action": .string(action),
            "continuationToken": .string(try calls.continuations.text(continuation)),
        ]
    }

    /// `challenge`: the methods on offer.
    func offer(
        _ methods: NativeV2Methods, _ continuation: Continuation, _ call: NativeV2Call
    ) throws(Rejection) -> JSONObject {
        var answer = try interaction("challenge", continuation.due(.challenge))
        answer["challengeContext"] = ["authenticationFactor": .string(methods.factor.rawValue)]
        answer["_embedded"] = ["methods": .array(methods.list.map { $0.json(call.links) })]
        return answer
    }

    /// `verify`: a code was sent, or a password is wanted.
    func verify(
        _ method: NativeV2Method, _ sent: SentCode?, _ continuation: Continuation, _ call: NativeV2Call
    ) throws(Rejection) -> JSONObject {
        var answer = try interaction("verify", continuation.due(.verify, method: method.path))
        answer["type"] = .string(method.kind.rawValue)
        guard let sent else {
            answer["_links"] = NativeV2Links.json(["verify": call.links.method(method, "verify")])
            return answer
        }
        answer["hint"] = .string(sent.destination)
        answer["codeLength"] = .integer(sent.codeLength)
        answer["_links"] = NativeV2Links.json([
            "verify": call.links.method(method, "verify"), "resend": call.links.method(method, "resend"),
        ])
        return answer
    }

    /// `update`: the new password of a reset.
    func update(_ continuation: Continuation, _ call: NativeV2Call) throws(Rejection) -> JSONObject {
        var answer = try interaction("update", continuation.due(.update))
        answer["_links"] = NativeV2Links.json(["update": call.links.password])
        return answer
    }

    /// `poll`: the reset is done, which the SDK learns by its first question.
    func poll(_ continuation: Continuation, _ call: NativeV2Call) throws(Rejection) -> JSONObject {
        var answer = try interaction("poll", continuation.due(.poll))
        answer["pollInterval"] = 1_500
        answer["_links"] = NativeV2Links.json(["poll": call.links.poll])
        return answer
    }

    /// `continue`: the app may fetch its authorization code.
    func finished(_ continuation: Continuation, _ call: NativeV2Call) throws(Rejection) -> JSONObject {
        [
            "state": "continue",
            "continuationToken": .string(try calls.continuations.text(continuation.due(.resume))),
            "_links": NativeV2Links.json(["continue": call.links.resume]),
        ]
    }

    /// `collectAttributes`: values that a sign-up needs.
    func collect(
        _ attributes: [NativeV2Attribute], _ continuation: Continuation, _ call: NativeV2Call
    ) throws(Rejection) -> JSONObject {
        var answer = try interaction("collectAttributes", continuation.due(.attributes))
        answer["attributes"] = .array(attributes.map(\.json))
        answer["_links"] = NativeV2Links.json(["submitAttributes": call.links.attributes])
        return answer
    }

    // MARK: Outcomes of the core

    /// The continuation with a proved session.
    func proved(
        _ signedIn: SignedIn, _ binding: ConfirmedSessions.Binding, _ call: NativeV2Call
    ) throws(Rejection) -> Continuation {
        guard let session = calls.confirmed.text(signedIn.session, binding) else { throw .internalError }
        return call.continuation.confirmed(by: session)
    }

    /// The end of the journey, or its next step.
    func next(
        _ outcome: SignInOutcome, _ binding: ConfirmedSessions.Binding, _ call: NativeV2Call
    ) throws -> JSONObject {
        switch outcome {
        case .signedIn(let signedIn): return try finished(try proved(signedIn, binding, call), call)
        case .nextStep(let pending): return try interrupted(pending, call)
        }
    }

    private func interrupted(_ pending: PendingStep, _ call: NativeV2Call) throws -> JSONObject {
        switch NativeAuthInterruption(pending.step) {
        case .noAccount: throw Rejection.invalidCredentials()
        case .secondFactor:
            guard let methods = NativeV2Methods(pending.step, of: call.continuation.username) else {
                throw Rejection.internalError
            }
            return try offer(methods, call.continuation.at(pending.flow), call)
        case .registration, .passwordExpired, nil:
            throw NativeAuthRedirect(reason: "The sign-in needs a step that this API does not have.")
        }
    }
}
