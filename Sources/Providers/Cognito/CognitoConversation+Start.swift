import Cryptography
import JSON
import Outbound

extension CognitoConversation {
    /// Begins a sign-in at the pool, in the configured way.
    ///
    /// - Parameter asked: the password step that this answers, if any.
    func start(
        _ username: String, _ password: Secret?, answering asked: CognitoFlow? = nil
    ) async throws(ProviderError) -> StepwiseAnswer {
        switch provider.configuration.authFlow {
        case .off: throw .misconfigured(reason: "username_sign_in_off")
        // The pool's own challenges replace the password.
        case .custom where context.mustTakePassword: return .ended(.credentialsWrong)
        case .custom:
            return try await proceed(initiate("CUSTOM_AUTH", username: username, [:]), Hand(username: username))
        case .userAuth where password == nil:
            return try await proceed(
                initiate("USER_AUTH", username: username, [:]), Hand(username: username, isFirstFactor: true))
        case .srp, .password, .userAuth, .customSRP:
            guard let password else { return askForPassword(of: username) }
            return try await start(username, with: password, answering: asked)
        }
    }

    func askForPassword(of username: String) -> StepwiseAnswer {
        step(.password, CognitoFlow(.password, username: username), life: 600)
    }

    private func start(
        _ username: String, with password: Secret, answering asked: CognitoFlow?
    ) async throws(ProviderError) -> StepwiseAnswer {
        var hand = Hand(flow: asked, username: username, password: password)
        guard provider.configuration.authFlow != .password else {
            let parameters: JSONObject = ["PASSWORD": .string(password.revealedText)]
            hand.password = nil
            return try await proceed(initiate("USER_PASSWORD_AUTH", username: username, parameters), hand)
        }
        let proof = SRPClient()
        hand.proof = proof
        var parameters: JSONObject = ["SRP_A": .string(proof.publicValue)]
        let flow: String
        switch provider.configuration.authFlow {
        case .userAuth:
            flow = "USER_AUTH"
            parameters["PREFERRED_CHALLENGE"] = "PASSWORD_SRP"
        case .customSRP:
            flow = "CUSTOM_AUTH"
            parameters["CHALLENGE_NAME"] = "SRP_A"
        case .off, .srp, .password, .custom: flow = "USER_SRP_AUTH"
        }
        return try await proceed(initiate(flow, username: username, parameters), hand)
    }

    // MARK: The pool's answer

    /// Continues after an answer of the pool, up to the next step that needs the user.
    func proceed(_ reply: CognitoAPI.Reply, _ hand: Hand) async throws(ProviderError) -> StepwiseAnswer {
        let answer: JSONObject
        switch reply {
        case .success(let object): answer = object
        case .failure(let exception): return try await refused(exception, hand)
        }
        if let tokens = answer["AuthenticationResult"]?.object { return try await finish(tokens) }
        guard let challenge = UserPoolChallenge(answer, of: hand.username) else { throw malformed() }
        switch challenge.name {
        case "PASSWORD_VERIFIER": return try await prove(challenge, hand)
        case "PASSWORD", "PASSWORD_SRP": return try await supplyPassword(to: challenge, hand)
        case "MFA_SETUP": return try await setUp(challenge)
        default: return try ask(challenge, hand)
        }
    }

    /// Answers the SRP challenge with the proof of the present password.
    private func prove(_ challenge: UserPoolChallenge, _ hand: Hand) async throws(ProviderError) -> StepwiseAnswer {
        let parameters = challenge.parameters
        guard let password = hand.password, let proof = hand.proof, let salt = parameters["SALT"],
            let server = parameters["SRP_B"], let block = parameters["SECRET_BLOCK"],
            let user = parameters["USER_ID_FOR_SRP"], let secretBlock = Base64Text.decode(block)
        else { throw malformed() }
        let timestamp = CognitoTimestamp.text(context.now)
        let pool = provider.configuration.userPoolID.drop { $0 != "_" }.dropFirst()
        let signature = proof.signature(
            realm: String(pool), user: user, password: password, salt: salt, serverValue: server,
            secretBlock: secretBlock, timestamp: timestamp)
        guard let signature else { throw malformed() }
        var proved = hand
        (proved.username, proved.password, proved.proof) = (challenge.username, nil, nil)
        let reply = try await respond(
            to: "PASSWORD_VERIFIER", session: challenge.session, username: challenge.username,
            [
                "PASSWORD_CLAIM_SECRET_BLOCK": .string(block), "TIMESTAMP": .string(timestamp),
                "PASSWORD_CLAIM_SIGNATURE": .string(Base64Text.encode(signature)),
            ])
        return try await proceed(reply, proved)
    }

    /// Answers a password challenge with the present password, or asks for one.
    private func supplyPassword(
        to challenge: UserPoolChallenge, _ hand: Hand
    ) async throws(ProviderError) -> StepwiseAnswer {
        var flow = CognitoFlow(.password, username: challenge.username, session: challenge.session)
        flow.passwordChallenge = challenge.name
        guard let password = hand.password else { return step(.password, flow) }
        return try await answer(flow, password: password)
    }
}
