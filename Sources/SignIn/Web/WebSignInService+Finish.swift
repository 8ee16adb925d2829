import Clients
import Foundation
import Providers
package import Sessions
package import Vocabulary

extension WebSignInService {
    /// The flow of a provider's answer.
    ///
    /// - Throws: `stateInvalid` for a state that this server did not make. The flow may have expired.
    package func flow(of callback: WebCallback) throws(Rejection) -> WebFlow {
        guard let flow = callback.state.flatMap(flows.open) else { throw .stateInvalid }
        return flow
    }

    /// Verifies a provider's answer, and signs in or links.
    ///
    /// - Parameters:
    ///   - flow: the flow of the callback.
    ///   - cookie: the browser's cookie of a name.
    ///   - session: the session of the browser.
    ///   - device: the token of a known device.
    package func finish(
        _ flow: WebFlow, _ callback: WebCallback, cookie: (String) -> String?, session: SessionSnapshot?,
        device: DeviceHint, caller: Caller
    ) async throws(Rejection) -> WebFinish {
        let secrets = flows.secrets(of: flow, cookie: cookie(flows.cookieName(of: flow)))
        let answer = try callback.judge(flow, isBound: secrets != nil, at: now())
        guard let secrets else { throw .stateNotBound }
        guard inFlight.enter(flow) else { throw .stateUsed }
        defer { inFlight.leave(flow) }
        return try await spendingOnFailure(flow, answer) { () async throws(Rejection) in
            try await finish(flow, answer, callback, secrets, session, device, caller)
        }
    }

    /// Any answer ends its flow.
    ///
    /// A code that the provider refuses is recorded: another server may have redeemed it a moment ago.
    private func spendingOnFailure(
        _ flow: WebFlow, _ answer: WebCallback.Answer, _ body: () async throws(Rejection) -> WebFinish
    ) async throws(Rejection) -> WebFinish {
        do throws(Rejection) {
            return try await body()
        } catch {
            var spending = [flows.spending(flow)]
            if case .code(let code) = answer, case .credential = error {
                spending.append(flows.refusal(of: code, in: flow))
            }
            let isFirst = try? await signIn.spend(spending)
            throw isFirst == false && error.mayComeOfRepetition ? .stateUsed : error
        }
    }

    private func finish(
        _ flow: WebFlow, _ answer: WebCallback.Answer, _ callback: WebCallback, _ secrets: WebFlows.Secrets,
        _ session: SessionSnapshot?, _ device: DeviceHint, _ caller: Caller
    ) async throws(Rejection) -> WebFinish {
        guard let client = clients.client(flow.client), let adapter = adapter(flow.provider),
            client.allows(provider: flow.provider)
        else { throw .providerDisabled }
        let target = try LoginTarget(flow.target, client: client, ownOrigin: publicURL)
        try await checkIssuer(callback.issuer, adapter, flow)
        let code: String
        switch answer {
        case .error(let error): throw adapter.isCancellation(error) ? .providerCancelled : .providerFailed
        case .code(let given): code = given
        }
        let request = SignInRequest(
            client: client, device: device, linkFlow: flow.linkFlow, handing: target.handing,
            caller: caller)
        let presented = try await signIn.redeem(
            RedirectAnswer(
                code: code, idToken: callback.idToken, user: callback.user,
                redirectURI: self.callback(of: flow.provider),
                nonce: secrets.nonce, codeVerifier: secrets.codeVerifier),
            at: adapter, spending: flows.spending(flow),
            reauthenticating: flow.isReauthentication ? flow.begun : nil, request: request)
        do throws(Rejection) {
            return try await conclude(flow, presented, request, target, session)
        } catch {
            guard error == .stateUsed, try await wasRefusedElsewhere(code, flow) else { throw error }
            let again = presented.spending([flows.spendingDespiteRefusal(flow)] + presented.spending.dropFirst())
            return try await conclude(flow, again, request, target, session)
        }
    }

    /// Whether another server spent the flow with the same code, and was refused.
    private func wasRefusedElsewhere(_ code: String, _ flow: WebFlow) async throws(Rejection) -> Bool {
        try await signIn.isSpent(flows.refusal(of: code, in: flow))
    }

    private func conclude(
        _ flow: WebFlow, _ presented: SignInStore.Presented, _ request: SignInRequest, _ target: LoginTarget,
        _ session: SessionSnapshot?
    ) async throws(Rejection) -> WebFinish {
        switch flow.intent {
        case .link(let id):
            guard let session, session.facts.session == id else { throw .sessionEnded() }
            _ = try await accounts.link(presented, to: session)
            return .linked
        case .signIn:
            switch try await signIn.signIn(presented, request: request) {
            case .signedIn(let signedIn): return .signedIn(signedIn, target)
            case .nextStep(let pending): return .step(pending, request.client)
            }
        }
    }

    private func checkIssuer(
        _ issuer: String?, _ adapter: any RedirectSignIn, _ flow: WebFlow
    ) async throws(Rejection) {
        do throws(ProviderError) {
            if try await adapter.acceptsIssuer(issuer) { return }
        } catch {
            logger.report(error, of: flow.provider)
            throw Rejection(error)
        }
        throw .mixup
    }
}

extension Rejection {
    /// Whether a repeated answer can cause the refusal, since its code is spent: then `stateUsed` is the true reason.
    fileprivate var mayComeOfRepetition: Bool {
        switch self {
        case .credential, .tokenReplayed, .providerUnavailable, .providerMisconfigured, .providerCancelled,
            .providerFailed:
            true
        default: false
        }
    }
}
