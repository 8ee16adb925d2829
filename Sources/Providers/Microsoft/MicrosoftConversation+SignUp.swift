import Cryptography
import JSON

extension MicrosoftConversation {
    /// Begins a sign-up with an address that no account has yet.
    ///
    /// A password that breaks the tenant's rules is left out: the API then asks for one after the code.
    func startSignUp(_ username: String, _ password: Secret?) async throws(ProviderError) -> StepwiseAnswer {
        let beginning = MicrosoftFlow(.beginning, username: username)
        var fields = [
            ("username", username), ("challenge_type", Self.challengeTypes), ("capabilities", Self.capabilities),
        ]
        if let password { fields.append(("password", password.revealedText)) }
        let reply = try await call(.signUpStart, fields)
        if password != nil, case .refused(let refusal) = reply, case .refusal(.passwordRejected) = refusal.meaning {
            return try await startSignUp(username, nil)
        }
        return try await settle(reply, in: beginning) { members throws(ProviderError) in
            try await challengeSignUp(beginning.next(.beginning, members))
        }
    }

    /// Sends the code or asks for the password, as the API decides.
    func challengeSignUp(_ flow: MicrosoftFlow) async throws(ProviderError) -> StepwiseAnswer {
        let reply = try await call(.signUpChallenge, in: flow, [("challenge_type", Self.challengeTypes)])
        return try await settle(reply, in: flow) { members throws(ProviderError) in
            switch members.text("challenge_type") {
            case "oob": return step(.confirmSignUp(delivery(members)), flow.next(.signUpCode, members))
            case "password":
                return step(.newPassword(requiredAttributes: []), flow.next(.signUpPassword, members))
            default: throw malformed()
            }
        }
    }

    func continueSignUp(
        _ flow: MicrosoftFlow, _ grant: String, _ value: String
    ) async throws(ProviderError) -> StepwiseAnswer {
        let reply = try await call(.signUpContinue, in: flow, [("grant_type", grant), (grant, value)])
        guard case .refused(let refusal) = reply else {
            return try await settle(reply, in: flow) { members throws(ProviderError) in
                // Without a token the account exists, and its sign-in begins again.
                guard members.token != nil else { return try await start(flow.username, nil) }
                return try await buyAfterwards(flow.next(flow.step, members))
            }
        }
        var next = flow
        if let token = refusal.token { next.token = token }
        switch refusal.meaning {
        case .passwordRequired where refusal.token != nil: return try await challengeSignUp(next)
        case .attributesRequired(let names) where refusal.token != nil && !names.isEmpty:
            (next.step, next.attributes) = (.signUpAttributes, names)
            return step(.attributes(required: names), next)
        default: return try refused(refusal, in: flow)
        }
    }

    func give(_ attributes: [String: String], _ flow: MicrosoftFlow) async throws(ProviderError) -> StepwiseAnswer {
        // Accepts only the requested attributes: the app could write others, but the user must not.
        guard Set(attributes.keys) == Set(flow.attributes) else {
            throw .invalidRequest(member: "attributes", reason: "not_those_asked_for")
        }
        let members = attributes.sorted { $0.key < $1.key }.map {
            JSONObject.Member(name: $0.key, value: .string($0.value))
        }
        return try await continueSignUp(flow, "attributes", JSON.object(JSONObject(members)).text)
    }
}
