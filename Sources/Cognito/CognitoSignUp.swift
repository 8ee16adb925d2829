import Clients
import Foundation
import HTTPServer
import JSON
import SignIn
import Vocabulary

/// Sign-up with its confirmation, and the forgotten password: calls that name the user only.
struct CognitoSignUp: CognitoOperations {
    let calls: CognitoCalls
    let flows: SignInFlows
    let names: FlowNames
    let confirmed: ConfirmedSessions
    let existence: CognitoExistence

    /// `SignUp`: sends a code, and by default answers the same for a name that has an account.
    func signUp(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let (name, client) = try named(request, &call)
        call.provider = PasswordSignInService.provider
        let form = try CognitoSignUpForm(name, request, client).form
        try await existence.requireNewUser(name, client, call)
        let asked = SignInRequest(
            client: client, device: DeviceHint(unmarked: nil), handing: ConfirmedSessions.Binding().handing,
            tokens: .cognito,
            caller: call.caller)
        switch try await flows.begin(.signUp(form), asked) {
        // A user name alone has nothing to confirm; its session ends unless a sign-in follows.
        case .signedIn(let signedIn):
            return ["UserConfirmed": true, "UserSub": .string(signedIn.account.id.text)]
        case .nextStep(let pending):
            guard case .confirmSignUp(let sent) = pending.step else {
                throw CognitoError.inBrowser("\(calls.publicURL)/sign-up?client_id=\(client.id)")
            }
            let sub = try flows.account(ofSignUp: pending).text
            for name in [name, sub] { try await names.remember(pending, as: .signUp, of: name, client: client) }
            var answer: JSONObject = [
                "UserConfirmed": false, "UserSub": .string(sub), "Session": .string(pending.flow),
            ]
            answer["CodeDeliveryDetails"] = sent.map(CognitoAnswers.delivery)
            return answer
        }
    }

    /// `ConfirmSignUp`; the `Session` of the answer begins a sign-in by `USER_AUTH`.
    func confirmSignUp(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let (name, client) = try await existing(request, &call)
        do {
            return try await confirm(name, request, client, call)
        } catch let rejection as Rejection where rejection == .flowExpired || rejection == .tooManyTries {
            try await existence.requireUnconfirmed(name, client, call)
            guard try request.optional("Session", most: 4_096) == nil else { throw rejection }
            // By name alone, a name without a sign-up and one without further tries answer like a wrong code.
            guard rejection == .flowExpired else { throw Rejection.codeWrong(triesLeft: 0) }
            let code = try request.text("ConfirmationCode", most: 2_048)
            try await flows.refuse(code, ofSignUp: name, caller: call.caller)
        }
    }

    private func confirm(
        _ name: String, _ request: CognitoRequest, _ client: Client, _ call: DoorCall
    ) async throws -> JSONObject {
        let code = try request.text("ConfirmationCode", most: 2_048)
        let given = try request.optional("Session", most: 4_096)
        let binding = ConfirmedSessions.Binding()
        let asked = FlowCall(
            try await flow(given, name, code, client, call), isNamed: given == nil, of: client,
            device: DeviceHint(unmarked: nil), handing: binding.handing, tokens: .cognito, caller: call.caller)
        let outcome = try await flows.answer(StepResponse(.code(code)), asked, for: .signUp)
        guard case .signedIn(let signedIn) = outcome, let session = confirmed.text(signedIn.session, binding) else {
            return [:]
        }
        return ["Session": .string(session)]
    }

    /// The sign-up of the session, or without one that of the code.
    private func flow(
        _ session: String?, _ name: String, _ code: String, _ client: Client, _ call: DoorCall
    ) async throws(Rejection) -> String {
        if let session { return session }
        return try await names.flow(for: .signUp, of: name, client: client, code: code, caller: call.caller)
    }

    /// `ResendConfirmationCode`, of the sign-up that was first: the same answer for an unknown, a pending and a
    /// confirmed name.
    ///
    /// A code is sent after the answer, so that its time tells nothing either.
    func resendConfirmationCode(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let (name, client) = try await existing(request, &call)
        let asked = asked(client, call)
        let sent = try await flows.announceResend(of: name, asked)
        if try await names.hasFlow(for: .signUp, of: name, client: client) {
            flows.resendSilently(signUp: try await names.firstFlow(for: .signUp, of: name, client: client), asked)
        }
        return ["CodeDeliveryDetails": CognitoAnswers.delivery(sent)]
    }

    /// `ForgotPassword`: sends a code, and by default answers the same for an unknown name.
    func forgotPassword(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let (name, client) = try await existing(request, &call)
        call.provider = PasswordSignInService.provider
        let outcome = try await flows.begin(.forgottenPassword(name: name), asked(client, call))
        guard case .nextStep(let pending) = outcome else { throw Rejection.internalError }
        try await names.remember(pending, as: .passwordReset, of: name, client: client)
        return Self.delivered(pending)
    }

    /// `ConfirmForgotPassword`: sets the password; the user then signs in.
    func confirmForgotPassword(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let (name, client) = try await existing(request, &call)
        let code = try request.text("ConfirmationCode", most: 2_048)
        let answer = StepAnswer.resetPassword(code: code, newPassword: try request.text("Password"))
        let flow = try await names.flow(
            for: .passwordReset, of: name, client: client, code: code, caller: call.caller)
        let asked = FlowCall(
            flow, of: client, device: DeviceHint(unmarked: nil), handing: ConfirmedSessions.Binding().handing,
            tokens: .cognito, caller: call.caller)
        // A reset of an account with a second factor needs that factor, too.
        guard case .signedIn = try await flows.answer(StepResponse(answer), asked, for: .passwordReset) else {
            throw CognitoError.inBrowser("\(calls.publicURL)/forgot?client_id=\(client.id)")
        }
        return [:]
    }

    /// `Username`, and the app with the hash over it.
    private func named(
        _ request: CognitoRequest, _ call: inout DoorCall
    ) throws -> (name: String, client: Client) {
        let name = try request.text("Username", most: 512)
        return (name, try client(request, &call, hash: try request.optional("SecretHash"), of: name))
    }

    /// The same, where the app may reveal that the user does not exist.
    private func existing(
        _ request: CognitoRequest, _ call: inout DoorCall
    ) async throws -> (name: String, client: Client) {
        let (name, client) = try named(request, &call)
        try await existence.requireUser(name, client, call, "Username/client id combination not found.")
        return (name, client)
    }

    private static func delivered(_ pending: PendingStep) -> JSONObject {
        var answer: JSONObject = [:]
        answer["CodeDeliveryDetails"] = pending.step.delivery.map(CognitoAnswers.delivery)
        return answer
    }
}

/// The members of `SignUp` as the form of the core.
struct CognitoSignUpForm {
    let form: SignUpForm

    /// - Throws: ``CognitoError`` for an attribute that the app does not have.
    init(_ name: String, _ request: CognitoRequest, _ client: Client) throws(CognitoError) {
        var form = SignUpForm(username: name, password: try request.optional("Password"))
        for (name, value) in try request.attributes("UserAttributes") {
            switch CognitoAttributes.Own(rawValue: name) {
            case .email: form.email = SignInName(form.username)?.kind == .email ? nil : value
            case .phoneNumber: form.phone = SignInName(form.username)?.kind == .phone ? nil : value
            case .name: form.displayName = value
            // The user name itself, or flags that only a code sets.
            case .preferredUsername, .sub, .emailVerified, .phoneNumberVerified: continue
            case nil:
                let attribute = try client.cognitoAttribute(named: name)
                form.attributes[attribute.name] = attribute.value(of: value)
            }
        }
        self.form = form
    }
}

extension Client {
    /// The app's attribute with a name of the API.
    ///
    /// - Throws: ``CognitoError`` for an attribute that the app does not have.
    func cognitoAttribute(named name: String) throws(CognitoError) -> ClientAttribute {
        guard let attribute = knownAttributes.first(where: { CognitoAttributes.name(of: $0.name) == name }) else {
            throw .invalid("Attributes did not conform to the schema: \(name): Attribute does not exist in the schema.")
        }
        return attribute
    }
}
