import Accounts
import Clients
import Foundation
import HTTPServer
import JSON
import Sessions
import SignIn
import Vocabulary

/// `InitiateAuth` and `RespondToAuthChallenge`.
struct CognitoSignIn: CognitoOperations {
    let calls: CognitoCalls
    let flows: SignInFlows
    let names: FlowNames
    let sessions: SessionService
    let confirmed: ConfirmedSessions
    let existence: CognitoExistence
    let accounts: AccountService

    /// `InitiateAuth`, and `AdminInitiateAuth` with a back end.
    func initiateAuth(
        _ request: CognitoRequest, signedBy backEnd: UserProvisioning.BackEnd? = nil, _ call: inout DoorCall
    ) async throws -> JSONObject {
        let flow = try request.choice("AuthFlow", of: Flow.self)
        guard flow.isOf(back: backEnd != nil) else {
            throw CognitoError.invalid("Initiate Auth method not supported")
        }
        let parameters = try request.texts("AuthParameters")
        if flow == .refreshTokenAuth || flow == .refreshToken {
            return try await refreshed(request, parameters, &call)
        }
        let name = try parameters.required("USERNAME")
        let client = try client(request, &call, hash: parameters["SECRET_HASH"], of: name)
        if flow == .userAuth, let session = try request.optional("Session") {
            return signedIn(try await confirmed.redeem(session, client, call.caller), client, parameters["DEVICE_KEY"])
        }
        let target = flow == .userAuth ? try CognitoTarget(parameters) : nil
        if let raised = try await raised(to: target, parameters, name, client, &call) { return raised }
        let credential = try credential(flow, name, parameters, client)
        guard let credential else { return try federated(name, client) }
        call.provider = credential.method
        try await existence.requireUser(name, client, call, "User does not exist.")
        let device = parameters["DEVICE_KEY"]
        let outcome = try await flows.begin(credential, asked(client, device: device, wish: target?.wish, call))
        return try await answer(outcome, isFirst: true, toward: target, name, device, client, call)
    }

    /// - Parameters:
    ///   - target: the level that the app asks for.
    ///   - challenge: the challenge that was answered.
    ///   - name: the name that the user typed.
    ///   - device: `DEVICE_KEY`.
    func answer(
        _ outcome: SignInOutcome, isFirst: Bool = false, toward target: CognitoTarget? = nil,
        after challenge: CognitoChallenge.Name? = nil, _ name: String?, _ device: String?, _ client: Client,
        _ call: DoorCall
    ) async throws -> JSONObject {
        switch outcome {
        case .signedIn(let signedIn):
            guard case .tokens(let session) = signedIn.session else { throw Rejection.internalError }
            return self.signedIn(session, client, device, after: challenge)
        case .nextStep(let pending):
            try await remember(pending, of: name, device, client, call)
            var challenge = try CognitoChallenge(
                pending, isFirst: isFirst, user: name, profile: try await accounts.profile(of: pending, client: client),
                browser: browser(client))
            if challenge.available.contains(.webAuthn), try await !existence.offersPasskey(to: name ?? "", client) {
                challenge.available.removeAll { $0 == .webAuthn }
            }
            if let target { challenge.available = target.narrowed(challenge.available) }
            return challenge.json(session: pending.flow)
        }
    }

    /// A reset or a confirmation that the sign-in asks for continues in calls that name the user only.
    private func remember(
        _ pending: PendingStep, of name: String?, _ device: String?, _ client: Client, _ call: DoorCall
    ) async throws(Rejection) {
        if case .deviceProof(nil, _) = pending.step, let device {
            try await names.remember(pending, as: .device, of: Self.name(of: device, call), client: client)
        }
        guard let name else { return }
        switch pending.step {
        case .resetPassword: try await names.remember(pending, as: .passwordReset, of: name, client: client)
        case .confirmSignUp: try await names.remember(pending, as: .signUp, of: name, client: client)
        default: return
        }
    }

    /// The name of a device in the network of its caller: another caller who knows its key enters no flow of it.
    static func name(of device: String, _ call: DoorCall) -> String { "\(device) \(call.caller.network)" }

    private func browser(_ client: Client) -> String { "\(calls.publicURL)/login?client_id=\(client.id)" }
}

extension CognitoSignIn {
    /// The tokens, and for a device without a key the metadata with which it may confirm itself.
    ///
    /// The same for a device that had to show a second factor with its key, where every device is remembered: it was
    /// confirmed before the account had that factor.
    func signedIn(
        _ session: IssuedSession, _ client: Client, _ device: String?, after challenge: CognitoChallenge.Name? = nil
    ) -> JSONObject {
        let app = client.dialects.cognito
        let isUntrusted = app?.remembersDevices == .always && challenge?.isSecondFactor == true && session.hasTwoFactors
        let newDevice = device == nil || isUntrusted ? app?.newDevice(session.id) : nil
        return CognitoAnswers.tokens(session, refreshToken: session.refreshToken, newDevice: newDevice)
    }
}
