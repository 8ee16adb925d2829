import Accounts
import Admin
import Foundation
import HTTPServer
import JSON
import Sessions
import WebAuthn

/// `InitiateAuth` and `RespondToAuthChallenge`.
struct CognitoSignIn: CognitoOperations {
    let calls: CognitoCalls
    let flows: SignInFlows
    let names: FlowNames
    let sessions: SessionService
    let confirmed: ConfirmedSessions
    let existence: CognitoExistence
    let accounts: AccountService

    /// `AuthFlow`.
    private enum Flow: String, CaseIterable {
        case userAuth = "USER_AUTH"
        case userSRPAuth = "USER_SRP_AUTH"
        case userPasswordAuth = "USER_PASSWORD_AUTH"
        case adminUserPasswordAuth = "ADMIN_USER_PASSWORD_AUTH"
        /// The older name of ``adminUserPasswordAuth``.
        case adminNoSRPAuth = "ADMIN_NO_SRP_AUTH"
        case customAuth = "CUSTOM_AUTH"
        case refreshTokenAuth = "REFRESH_TOKEN_AUTH"
        case refreshToken = "REFRESH_TOKEN"

        /// Whether the operation of apps, or that of back ends, has the flow.
        func isOf(back isBackEnd: Bool) -> Bool {
            switch self {
            case .adminUserPasswordAuth, .adminNoSRPAuth: isBackEnd
            case .userPasswordAuth: !isBackEnd
            case .userAuth, .userSRPAuth, .customAuth, .refreshTokenAuth, .refreshToken: true
            }
        }
    }

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
        let credential = try credential(flow, name, parameters, client)
        guard let credential else { return try federated(name, client) }
        call.provider = credential.method
        try await existence.requireUser(name, client, call, "User does not exist.")
        return try await begin(credential, name, parameters["DEVICE_KEY"], client, call)
    }

    /// Nil for a custom flow without a password: it takes the token of a provider.
    private func credential(
        _ flow: Flow, _ name: String, _ parameters: CognitoTexts, _ client: Client
    ) throws -> Credential? {
        switch flow {
        case .userPasswordAuth, .adminUserPasswordAuth, .adminNoSRPAuth:
            return .password(name: name, password: try parameters.required("PASSWORD"))
        case .userSRPAuth: return .srp(name: name, clientValue: try parameters.required("SRP_A"))
        case .userAuth: return try preferred(parameters["PREFERRED_CHALLENGE"], name, parameters, client)
        case .customAuth:
            guard parameters["CHALLENGE_NAME"] == "SRP_A" else { return nil }
            return .srp(name: name, clientValue: try parameters.required("SRP_A"))
        case .refreshTokenAuth, .refreshToken: throw CognitoError.missing("REFRESH_TOKEN")
        }
    }

    /// The credential of a chosen challenge; the choice itself for one that is not offered.
    private func preferred(
        _ challenge: String?, _ name: String, _ texts: CognitoTexts, _ client: Client
    ) throws(CognitoError) -> Credential {
        switch challenge.flatMap(CognitoChallenge.Name.init(rawValue:)) {
        case .password where client.allows(provider: FirstFactor.password.rawValue):
            guard let password = texts["PASSWORD"] else { return .name(name, first: .password) }
            return .password(name: name, password: password)
        case .passwordSRP where client.allows(provider: FirstFactor.password.rawValue):
            return .srp(name: name, clientValue: try texts.required("SRP_A"))
        case .emailOTP where offers(.emailCode, client, name, not: .phone): return .code(name: name, .emailCode)
        case .smsOTP where offers(.smsCode, client, name, not: .email): return .code(name: name, .smsCode)
        case .webAuthn: return .name(name, first: .passkey)
        default: return .name(name)
        }
    }

    /// Whether the app sends codes of this kind to names of the kind that the user typed.
    private func offers(
        _ factor: FirstFactor, _ client: Client, _ name: String, not kind: SignInName.Kind
    ) -> Bool {
        client.allows(provider: factor.rawValue) && SignInName(name)?.kind != kind
    }

    private func begin(
        _ credential: Credential, _ name: String, _ device: String?, _ client: Client, _ call: DoorCall
    ) async throws -> JSONObject {
        let outcome = try await flows.begin(credential, asked(client, device: device, call))
        return try await answer(outcome, isFirst: true, name, device, client, call)
    }

    /// - Parameters:
    ///   - challenge: the challenge that was answered.
    ///   - name: the name that the user typed.
    ///   - device: `DEVICE_KEY`.
    func answer(
        _ outcome: SignInOutcome, isFirst: Bool = false, after challenge: CognitoChallenge.Name? = nil, _ name: String?,
        _ device: String?, _ client: Client, _ call: DoorCall
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
    private static func name(of device: String, _ call: DoorCall) -> String { "\(device) \(call.caller.network)" }

    private func browser(_ client: Client) -> String { "\(calls.publicURL)/login?client_id=\(client.id)" }

    // MARK: Challenges

    /// `RespondToAuthChallenge`.
    func respondToAuthChallenge(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let challenge = try request.choice("ChallengeName", of: CognitoChallenge.Name.self)
        let responses = try request.texts("ChallengeResponses")
        let client = try client(
            request, &call, hash: responses["SECRET_HASH"], of: responses["USERNAME"] ?? "")
        let session = try await session(request, challenge, responses, client, call)
        switch challenge {
        case .selectChallenge: return try await choose(session, responses, client, &call)
        case .customChallenge where CognitoFederation(session: session) != nil:
            return try await signInFederated(session, responses, client, &call)
        case .mfaSetup: return try await setUp(session, responses, client, call)
        default: break
        }
        let answer = try self.answer(challenge, responses)
        return try await self.answer(
            try await flows.answer(
                StepResponse(answer), flowCall(session, device: responses["DEVICE_KEY"], client, call), for: .signIn),
            after: challenge, responses["USERNAME"], responses["DEVICE_KEY"], client, call)
    }

    /// The flow of the answer: that of the session, or of the secret block where the client sends no session.
    ///
    /// A device that sends neither has the newest flow that waits for it in its network.
    private func session(
        _ request: CognitoRequest, _ challenge: CognitoChallenge.Name, _ responses: CognitoTexts, _ client: Client,
        _ call: DoorCall
    ) async throws -> String {
        let given = try request.optional("Session", most: 4_096)
        guard challenge == .passwordVerifier || challenge == .devicePasswordVerifier else {
            if let given { return given }
            guard challenge == .deviceSRPAuth else { throw CognitoError.missing("Session") }
            let device = try responses.required("DEVICE_KEY")
            return try await names.newestFlow(for: .device, of: Self.name(of: device, call), client: client)
        }
        let block = try responses.required("PASSWORD_CLAIM_SECRET_BLOCK")
        guard let flow = CognitoChallenge.flow(ofSecretBlock: block), given == nil || given == flow else {
            throw Rejection.flowExpired
        }
        return flow
    }

    private func answer(_ challenge: CognitoChallenge.Name, _ responses: CognitoTexts) throws -> StepAnswer {
        switch challenge {
        case .passwordVerifier, .devicePasswordVerifier: return .passwordProof(try Self.proof(responses))
        case .deviceSRPAuth:
            return .deviceValue(try responses.required("SRP_A"), device: try responses.required("DEVICE_KEY"))
        case .smsMFA: return .code(try responses.required("SMS_MFA_CODE"))
        case .softwareTokenMFA: return .code(try responses.required("SOFTWARE_TOKEN_MFA_CODE"))
        case .emailOTP: return .code(try responses.required("EMAIL_OTP_CODE"))
        case .smsOTP: return .code(try responses.required("SMS_OTP_CODE"))
        case .selectMFAType: return .choice(try Self.factor(try responses.required("ANSWER")))
        case .password: return .password(try responses.required("PASSWORD"))
        case .webAuthn: return .passkey(PasskeyAnswer(text: try responses.required("CREDENTIAL")))
        case .customChallenge: return .challenge(try responses.required("ANSWER"))
        case .newPasswordRequired:
            return .newPassword(
                try responses.required("NEW_PASSWORD"), attributes: Self.attributes(responses))
        case .passwordSRP, .selectChallenge, .mfaSetup: throw CognitoError.missing("ANSWER")
        }
    }

    private static func proof(_ responses: CognitoTexts) throws -> SRPProof {
        let block = Data(base64Encoded: try responses.required("PASSWORD_CLAIM_SECRET_BLOCK")).map(Array.init)
        let signature = Data(base64Encoded: try responses.required("PASSWORD_CLAIM_SIGNATURE")).map(Array.init)
        return SRPProof(
            secretBlock: block ?? [], timestamp: try responses.required("TIMESTAMP"), signature: signature ?? [])
    }

    private static func attributes(_ responses: CognitoTexts) -> [String: String] {
        let pairs = responses.beginning("userAttributes.").compactMap { name, value in
            CognitoAttributes.attribute(named: name).map { ($0, value) }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// The id of a second factor in the core.
    private static func factor(_ answer: String) throws(CognitoError) -> String {
        switch answer {
        case "SMS_MFA": return StepChoice.Kind.sms.rawValue
        case "SOFTWARE_TOKEN_MFA": return StepChoice.Kind.totp.rawValue
        // The API's text has the one name, its enums have the other.
        case "EMAIL_OTP", "EMAIL_MFA": return StepChoice.Kind.email.rawValue
        default: throw .invalid("Invalid parameter ANSWER.")
        }
    }

    /// `SELECT_CHALLENGE` begins the chosen sign-in: the offer was the same for every name.
    private func choose(
        _ session: String, _ responses: CognitoTexts, _ client: Client, _ call: inout DoorCall
    ) async throws -> JSONObject {
        _ = try await flows.waiting(flowCall(session, client, call))
        let name = try responses.required("USERNAME")
        let answer = try responses.required("ANSWER")
        guard CognitoChallenge.Name(rawValue: answer) != nil else {
            throw CognitoError.invalid("Invalid parameter ANSWER.")
        }
        let credential = try preferred(answer, name, responses, client)
        call.provider = credential.method
        let device = responses["DEVICE_KEY"]
        let outcome = try await flows.begin(credential, asked(client, device: device, call))
        return try await self.answer(outcome, name, device, client, call)
    }

    private func flowCall(
        _ session: String, device: String? = nil, _ client: Client, _ call: DoorCall
    ) -> FlowCall {
        FlowCall(
            session, of: client, device: DeviceHint(unmarked: device), tokens: .cognito, renewsFlowTokens: true,
            caller: call.caller)
    }

    /// `MFA_SETUP`: with `EMAIL` a mailbox to set up, otherwise the session of `VerifySoftwareToken`.
    private func setUp(
        _ session: String, _ responses: CognitoTexts, _ client: Client, _ call: DoorCall
    ) async throws -> JSONObject {
        guard let email = responses["EMAIL"] else {
            if confirmed.isOne(session) {
                return signedIn(
                    try await confirmed.redeem(session, client, call.caller), client, responses["DEVICE_KEY"])
            }
            // The recovery codes, which the API can't show.
            let outcome = try await flows.answer(
                StepResponse(.nothing), flowCall(session, client, call), for: .signIn)
            return try await answer(outcome, responses["USERNAME"], responses["DEVICE_KEY"], client, call)
        }
        let flow = try await entered(.email, flowCall(session, client, call))
        let outcome = try await flows.answer(StepResponse(.email(email)), flow, for: .signIn)
        return try await answer(outcome, responses["USERNAME"], responses["DEVICE_KEY"], client, call)
    }

    /// The flow at the set-up of this factor, which it may still have to choose.
    private func entered(_ kind: StepChoice.Kind, _ flow: FlowCall) async throws(Rejection) -> FlowCall {
        guard case .factorSetUpSelection = try await flows.waiting(flow).step else { return flow }
        let outcome = try await flows.answer(StepResponse(.choice(kind.rawValue)), flow, for: .signIn)
        guard case .nextStep(let pending) = outcome else { throw .internalError }
        return flow.at(pending.flow)
    }
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
