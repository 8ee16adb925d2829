import Clients
import HTTPServer
import Hummingbird
import JSON
import SignIn
import Vocabulary

/// The entries of the three journeys, and the calls of a sign-up and a reset that concern no method.
struct NativeV2Journeys: NativeV2Operations {
    let calls: NativeAuthCalls

    /// `POST /signin/start`: the first factors of the name.
    @Sendable func signIn(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("sign_in", request, context, at: .entry, in: .start) { call in
            let continuation = try await named(.signIn, call)
            let credential = Credential.name(continuation.username, first: nil)
            let outcome = try await flows.begin(credential, call.asked())
            guard case .nextStep(let pending) = outcome else { throw Rejection.internalError }
            guard let methods = NativeV2Methods(pending.step, of: continuation.username) else {
                throw NativeAuthRedirect(reason: "The application allows no method that this API has.")
            }
            return try offer(methods, continuation.at(pending.flow), call)
        }
    }

    /// `POST /resetpassword/start`: the mailbox or the telephone of the name.
    @Sendable func reset(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("forgot_password", request, context, at: .entry, in: .start) { call in
            let continuation = try await named(.passwordReset, call)
            guard SignInName(continuation.username) != nil else { throw NativeAuthError.parameter("username") }
            let method = NativeV2Method.destination(of: continuation.username)
            return try offer(NativeV2Methods(only: method), continuation, call)
        }
    }

    /// The journey of a user name; only an app that reveals users learns that one is unknown.
    private func named(_ series: Continuation.Series, _ call: NativeV2Call) async throws -> Continuation {
        let username = try call.required("username", most: 512)
        if call.app.revealsUsers, try await !flows.hasAccount(username, caller: call.caller) {
            throw NativeV2Error.userNotFound
        }
        return call.continuation.begun(series, of: username)
    }

    // MARK: Sign-up

    /// `POST /signup/start`: asks for the address.
    @Sendable func signUp(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("sign_up", request, context, at: .entry, in: .start) { call in
            // Older SDKs send no user name here.
            let username = call.body["username"]?.string ?? ""
            return try collect([.email], call.continuation.begun(.signUp, of: username), call)
        }
    }

    /// `POST /signup/attributes`: the address, which gets a code; after the code, the data that is missing.
    @Sendable func attributes(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("sign_up", request, context, at: .attributes, in: .signUp) { call in
            call.logged.provider = PasswordSignInService.provider
            guard let sent = call.body["attributes"]?.object, sent.members.count <= 100 else {
                throw NativeAuthError.parameter("attributes")
            }
            let data = NativeAuthAttributes.data(sent, call.client)
            guard let flow = call.continuation.flow else { return try await begin(sent, data, call) }
            let binding = ConfirmedSessions.Binding()
            let outcome = try await flows.answer(
                StepResponse(.signUpData(data)), call.about(flow, handing: binding.handing), for: .signUp)
            return try next(outcome, binding, call)
        }
    }

    /// Sends the code; everything that the app sent is kept with the flow.
    private func begin(_ sent: JSONObject, _ data: SignUpData, _ call: NativeV2Call) async throws -> JSONObject {
        let email = sent[NativeAuthAttributes.email]?.string ?? call.continuation.username
        guard EmailAddress(email) != nil else { throw Rejection.invalidField(.email, .notAnEmailAddress) }
        if call.app.revealsUsers, try await flows.hasAccount(email, caller: call.caller) {
            throw Rejection.addressInUse
        }
        var form = SignUpForm(
            username: email, password: data.password, displayName: data.displayName, attributes: data.attributes)
        form.asksLater = .password
        let asked = call.asked(handing: ConfirmedSessions.Binding().handing)
        guard case .nextStep(let pending) = try await flows.begin(.signUp(form), asked) else {
            throw Rejection.internalError
        }
        var continuation = call.continuation.begun(.signUp, of: email).at(pending.flow)
        continuation.sent = sent.members.map(\.name)
        return try verify(.destination(of: email), pending.step.delivery, continuation, call)
    }

    // MARK: Reset

    /// `PUT /resetpassword/password`: the new password.
    @Sendable func password(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("reset_password", request, context, at: .update, in: .passwordReset) { call in
            let password = try call.required("newPassword", most: 1_024)
            let binding = ConfirmedSessions.Binding()
            let outcome = try await flows.answer(
                StepResponse(.newPassword(password, attributes: [:])),
                call.about(try call.flow, handing: binding.handing), for: .signIn)
            guard case .signedIn(let signedIn) = outcome else {
                throw NativeAuthRedirect(reason: "A reset of this account needs its second factor.")
            }
            return try poll(try proved(signedIn, binding, call), call)
        }
    }

    /// `POST /resetpassword/poll`: the reset is done.
    @Sendable func poll(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("reset_password", request, context, at: .poll, in: .passwordReset) { call in
            try finished(call.continuation, call)
        }
    }
}

extension NativeV2Operations {
    /// The end of a sign-up after its code, or the one question for everything that is missing.
    func signUpNext(
        _ outcome: SignInOutcome, _ binding: ConfirmedSessions.Binding, _ call: NativeV2Call
    ) throws -> JSONObject {
        guard case .nextStep(let pending) = outcome, let lack = SignUpQuestion(pending.step) else {
            return try next(outcome, binding, call)
        }
        let attributes = NativeV2Attribute.lacking(
            call.client, needsPassword: lack.needsPassword, sent: Set(call.continuation.sent ?? []))
        return try collect(attributes, call.continuation.at(pending.flow), call)
    }
}

extension Continuation {
    /// The start as a journey of a user name.
    fileprivate func begun(_ series: Series, of username: String) -> Continuation {
        var begun = Continuation(series, client: client, username: username)
        begun.scope = scope
        return begun
    }
}
