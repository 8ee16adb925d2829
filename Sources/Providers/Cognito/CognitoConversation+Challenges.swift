import JSON

extension CognitoConversation {
    /// Turns a challenge into a step for the user.
    func ask(_ challenge: UserPoolChallenge, _ hand: Hand) throws(ProviderError) -> StepwiseAnswer {
        guard let name = CognitoFlow.Step(rawValue: challenge.name) else { throw unknown() }
        var flow = CognitoFlow(name, username: challenge.username, session: challenge.session)
        flow.isFirstFactor = hand.isFirstFactor
        switch name {
        case .smsMFA: return step(.smsCode(challenge.delivery(.sms)), flow)
        case .emailOTP: return step(.otp(challenge.delivery(.email)), flow)
        case .smsOTP: return step(.otp(challenge.delivery(.sms)), flow)
        case .softwareToken:
            return step(.totpCode(name: challenge.parameters["FRIENDLY_DEVICE_NAME"]), flow)
        case .newPassword:
            flow.choices = challenge.missingAttributes
            return step(.newPassword(requiredAttributes: flow.choices), flow)
        case .custom:
            let ours: Set<String> = ["USERNAME", "USER_ID_FOR_SRP"]
            return step(.customChallenge(parameters: challenge.parameters.filter { !ours.contains($0.key) }), flow)
        case .passkey:
            let options = challenge.parameters["CREDENTIAL_REQUEST_OPTIONS"].flatMap { try? JSON(parsing: $0) }
            guard let options = options?.object else { throw malformed() }
            return step(.passkey(options: options), flow)
        case .selectMFA:
            return try offer(challenge.list("MFAS_CAN_CHOOSE"), as: ProviderStep.mfaSelection, flow)
        case .selectChallenge where context.mustTakePassword: return .ended(.credentialsWrong)
        case .selectChallenge:
            flow.isFirstFactor = true
            flow.choices = challenge.available
            guard CognitoFactor.methods(flow.choices).map(\.kind) != [.password] else {
                return choosePassword(in: flow)
            }
            return try offer(challenge.available, as: ProviderStep.firstFactorSelection, flow)
        // Steps of ours that are not challenges of Cognito's.
        case .password, .selectSetup, .softwareTokenSetup, .emailSetup, .resetPassword, .confirmSignUp:
            throw unknown()
        }
    }

    private func offer(
        _ names: [String], as asking: ([SignInMethod]) -> ProviderStep, _ flow: CognitoFlow
    ) throws(ProviderError) -> StepwiseAnswer {
        let methods = CognitoFactor.methods(names)
        guard !methods.isEmpty else { return .ended(.noMethod) }
        var flow = flow
        flow.choices = names
        return step(asking(methods), flow)
    }

    /// Asks for the password after the user chose it as first factor.
    func choosePassword(in flow: CognitoFlow) -> StepwiseAnswer {
        var next = CognitoFlow(.password, username: flow.username, session: flow.session)
        next.passwordChallenge = flow.step.rawValue
        next.choices =
            CognitoFactor.name(of: SignInMethod.Kind.password.rawValue, among: flow.choices).map { [$0] } ?? []
        return step(.password, next)
    }

    /// A newer challenge, or a device challenge, which the gateway never uses.
    private func unknown() -> ProviderError {
        provider.upstream.health.failed("challenge_unsupported")
        return .misconfigured(reason: "challenge_unsupported")
    }

    // MARK: Set-up of a second factor

    /// Begins the only possible set-up, or offers a choice; SMS needs a number that only a profile could hold.
    func setUp(_ challenge: UserPoolChallenge) async throws(ProviderError) -> StepwiseAnswer {
        var flow = CognitoFlow(.selectSetup, username: challenge.username, session: challenge.session)
        flow.choices = challenge.list("MFAS_CAN_SETUP").filter { $0 != "SMS_MFA" }
        let methods = CognitoFactor.methods(flow.choices)
        guard methods.count > 1 else { return try await setUp(methods.first?.kind, flow) }
        return step(.mfaSetupSelection(methods), flow)
    }

    func setUp(_ kind: SignInMethod.Kind?, _ flow: CognitoFlow) async throws(ProviderError) -> StepwiseAnswer {
        var next = flow
        next.choices = []
        switch kind {
        case .totp:
            next.step = .softwareTokenSetup
            return try await associate(next)
        case .emailOTP:
            next.step = .emailSetup
            return step(.contactSetup(.email, hint: nil), next)
        case .password, .smsOTP, .passkey, nil: return .ended(.noMethod)
        }
    }

    private func associate(_ flow: CognitoFlow) async throws(ProviderError) -> StepwiseAnswer {
        guard let session = flow.session else { throw malformed() }
        switch try await bare(.associateSoftwareToken, ["Session": .string(session)]) {
        case .failure(let exception):
            return try await refused(exception, Hand(username: flow.username))
        case .success(let answer):
            guard let secret = answer["SecretCode"]?.string else { throw malformed() }
            var flow = flow
            flow.session = answer["Session"]?.string ?? session
            return step(.totpSetup(secret: secret, username: flow.username), flow)
        }
    }
}
