import Cryptography
import FoundationEssentials
import JSON

/// The calls to an external tenant for one of our requests.
struct MicrosoftConversation {
    let provider: MicrosoftProvider
    let native: MicrosoftProvider.NativeTenant
    let context: StepwiseContext
    let deadline: Upstream.Deadline
    /// The arrival of the request.
    let begun: ContinuousClock.Instant

    /// The time in seconds for which the API keeps a step open, according to its page.
    static let stepLife = 600
    static let challengeTypes = "oob password redirect"
    static let capabilities = "mfa_required registration_required"

    func flow(_ state: JSON) -> MicrosoftFlow? {
        MicrosoftFlow(state, tenant: native.tenant.id, clientID: native.api.clientID)
    }

    func step(_ step: ProviderStep, _ flow: MicrosoftFlow, life: Int = Self.stepLife) -> StepwiseAnswer {
        .step(step, state: state(flow), expiresIn: life)
    }

    func again(_ refusal: StepRefusal, _ flow: MicrosoftFlow) -> StepwiseAnswer {
        .again(refusal, state: state(flow))
    }

    /// Sends the user to a browser, where the sign-in begins again without any state.
    func inBrowser() throws(ProviderError) -> StepwiseAnswer {
        // A browser at another tenant would not find this tenant's users.
        guard provider.webTenant.id.hasSameBytes(as: native.tenant.id) else {
            throw misconfigured("web_tenant_differs")
        }
        return .step(.webFallback, state: .null, expiresIn: 0)
    }

    /// The error for an answer that the API page does not describe.
    func malformed() -> ProviderError {
        provider.upstream.failure("upstream_malformed")
    }

    private func state(_ flow: MicrosoftFlow) -> JSON {
        flow.state(tenant: native.tenant.id, clientID: native.api.clientID)
    }

    // MARK: Calls

    func call(
        _ operation: MicrosoftAPI.Operation, _ fields: MicrosoftAPI.Fields
    ) async throws(ProviderError) -> MicrosoftAPI.Reply {
        try await native.api.call(operation, fields, by: deadline)
    }

    /// Calls with the flow's token.
    func call(
        _ operation: MicrosoftAPI.Operation, in flow: MicrosoftFlow, _ fields: MicrosoftAPI.Fields = []
    ) async throws(ProviderError) -> MicrosoftAPI.Reply {
        try await call(operation, [("continuation_token", flow.token)] + fields)
    }

    /// Continues after an answer; redirections and refusals are handled equally everywhere.
    func settle(
        _ reply: MicrosoftAPI.Reply, in flow: MicrosoftFlow,
        _ proceed: (MicrosoftMembers) async throws(ProviderError) -> StepwiseAnswer
    ) async throws(ProviderError) -> StepwiseAnswer {
        switch reply {
        case .success(let members): try await proceed(members)
        case .redirect: try inBrowser()
        case .refused(let refusal): try refused(refusal, in: flow)
        }
    }

    // MARK: The end

    /// Requests the tokens of the completed flow.
    ///
    /// No refresh token is requested, because only the ID token is needed.
    func buy(
        _ grant: String, in flow: MicrosoftFlow, _ fields: MicrosoftAPI.Fields = []
    ) async throws(ProviderError) -> StepwiseAnswer {
        let isByText = grant == "mfa_oob" && flow.method?.channel == .sms
        // After a code by SMS, the API's page requires the tenant's GUID in the address.
        let reply = try await native.api.call(
            .token,
            [
                ("continuation_token", flow.token), ("grant_type", grant), ("scope", "openid profile email"),
                ("client_info", "true"),
            ] + fields, authority: isByText ? native.tenant.id : nil, by: deadline)
        guard case .refused(let refusal) = reply else {
            return try await settle(reply, in: flow) { members throws(ProviderError) in try await finish(members) }
        }
        var next = flow
        if let token = refusal.token { next.token = token }
        switch refusal.meaning {
        case .secondFactorRequired where refusal.token != nil: return try await askSecondFactor(next)
        case .registrationRequired where refusal.token != nil: return try await askRegistration(next)
        // A reset that demands another reset would loop, so it is not repeated.
        case .resetRequired where flow.step != .passwordChange: return try await startReset(of: flow.username)
        default: return try refused(refusal, in: flow)
        }
    }

    /// Requests tokens with the token of a finished sign-up, reset or registration.
    func buyAfterwards(_ flow: MicrosoftFlow) async throws(ProviderError) -> StepwiseAnswer {
        try await buy("continuation_token", in: flow, [("username", flow.username)])
    }

    private func finish(_ members: MicrosoftMembers) async throws(ProviderError) -> StepwiseAnswer {
        guard let text = members.text("id_token"), let jwt = try? JWT(parsing: text) else { throw malformed() }
        let access = members.text("access_token")
        return .verified(try await provider.identity(of: jwt, beside: access, from: native, at: context.now))
    }
}
