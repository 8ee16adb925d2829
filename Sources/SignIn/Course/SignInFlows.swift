package import Clients
package import Foundation
package import Providers
package import Sessions
package import Vocabulary

/// Every way to sign in, for every front door: begin, answer, resend, show again; link and step up.
///
/// It dispatches to the service of the credential or of the pending flow, and decides nothing itself.
package final class SignInFlows: Sendable {
    private let shared: FlowServices
    private let signIn: SignInService
    private let steps: FlowService
    private let answers: StepAnswerService
    private let names: NameSignInService
    private let providerLed: ProviderLedSignInService
    private let guests: GuestSignInService
    private let passkeys: PasskeySignInService
    private let passwords: PasswordSignInService
    private let signUps: SignUpService
    private let accounts: AccountService

    package init(
        _ shared: FlowServices, signIn: SignInService, steps: FlowService, names: NameSignInService,
        providerLed: ProviderLedSignInService,
        guests: GuestSignInService, passkeys: PasskeySignInService,
        passwords: PasswordSignInService, signUps: SignUpService, accounts: AccountService
    ) {
        (self.shared, self.signIn, self.steps, self.names) = (shared, signIn, steps, names)
        (self.providerLed, self.passkeys, self.guests) = (providerLed, passkeys, guests)
        (self.passwords, self.signUps, self.accounts) = (passwords, signUps, accounts)
        answers = StepAnswerService(shared, flows: steps, providerLed: providerLed)
    }

    /// Begins a sign-in.
    package func begin(_ credential: Credential, _ request: SignInRequest) async throws(Rejection) -> SignInOutcome {
        // Before a message is sent or a guess is charged in vain.
        try request.requireKey()
        switch credential {
        case .password(let name, let password):
            return try await passwords.signIn(name: name, password: password, request)
        case .srp(let name, let clientValue):
            return .nextStep(try await names.beginSRP(name, clientValue, request))
        case .name(let name, let first): return .nextStep(try await names.beginSelection(name, first, request))
        case .code(let name, let factor): return .nextStep(try await names.beginCode(name, by: factor, request))
        case .guest: return try await guests.signIn(request)
        case .passkey: return .nextStep(try passkeys.begin(client: request.client))
        case .provider(let id, let credential): return try await begin(id, credential, request)
        case .signUp(let form): return try await signUps.begin(form, request)
        case .forgottenPassword(let name):
            return .nextStep(try await names.beginReset(name, request, isAsked: true))
        }
    }

    /// The first factor to ask a typed name for, where the person makes no choice.
    ///
    /// - Parameter usedLast: the sign-in method used last on this device.
    package func likelyFactor(
        of name: String, usedLast: String?, _ request: SignInRequest
    ) async throws(Rejection) -> FirstFactor {
        try await names.likelyFactor(name, usedLast: usedLast.flatMap(FirstFactor.init(rawValue:)), request)
    }

    private func begin(
        _ provider: String, _ credential: PresentedCredential, _ request: SignInRequest
    ) async throws(Rejection) -> SignInOutcome {
        if credential.hasUsername, providerLed.leads(provider) {
            return try await providerLed.begin(provider, credential, request)
        }
        return try await signIn.signIn(provider: provider, credential, request)
    }

    /// Answers the step of a pending flow.
    ///
    /// - Parameter purpose: the only purpose that the flow may have; nil for any sign-in.
    package func answer(
        _ response: StepResponse, _ call: FlowCall, for purpose: FlowPurpose? = nil
    ) async throws(Rejection) -> SignInOutcome {
        let flow = try shared.open(call, purpose)
        switch flow.kind {
        case .linkAccount:
            guard response.answer == .separateAccount else { throw .invalidField(.separateAccount, .mustBeTrue) }
            return try await signIn.declineLink(flow)
        case .passkey: return try await passkeys.finish(response, flow)
        case .signIn, .provider:
            let resets = flow.kind == .signIn && purpose == .passwordReset
            return try await answers.answer(response, flow, resets: resets)
        case .signUp: return try await signUps.answer(response, flow)
        case .factor, .address: throw .flowExpired
        }
    }

    /// Sends another code for the pending step; the code before ends.
    package func resend(_ call: FlowCall, for purpose: FlowPurpose? = nil) async throws(Rejection) -> PendingStep {
        let flow = try shared.open(call, purpose)
        switch flow.kind {
        case .signUp: return try await signUps.resend(flow)
        case .signIn, .provider, .factor, .address:
            guard case .nextStep(let pending) = try await answers.resend(flow) else { throw .internalError }
            return pending
        case .linkAccount, .passkey: throw .nothingToResend
        }
    }

    /// The pending step, to be shown again after a refused answer.
    package func waiting(_ call: FlowCall) async throws(Rejection) -> PendingStep {
        let flow = try shared.open(call)
        switch flow.kind {
        case .signIn, .provider, .factor, .address: return try await answers.waiting(flow)
        case .signUp, .linkAccount, .passkey: throw .flowExpired
        }
    }

    /// The step of a pending sign-up.
    package func waiting(signUp call: FlowCall) async throws(Rejection) -> PendingStep {
        try await signUps.waiting(try shared.tokens.open(call, [.signUp], shared.clients))
    }

    /// Counts a request for another code of a name's sign-up, and returns the delivery that every name gets.
    package func announceResend(of name: String, _ request: SignInRequest) async throws(Rejection) -> SentCode {
        try await signUps.announceResend(name, request)
    }

    /// Sends another code of a pending sign-up, if one is due; the caller learns nothing.
    package func resendSilently(signUp flow: String, _ request: SignInRequest) {
        signUps.resendSilently(flow, request)
    }

    /// Refuses a code for a name without a sign-up like a wrong one, which it counts as.
    package func refuse(_ code: String, ofSignUp name: String, caller: Caller) async throws(Rejection) -> Never {
        try await signUps.refuse(code, name, caller: caller)
    }

    /// Whether a name has an account, for apps that reveal it; charged to the caller's network.
    package func hasAccount(_ name: String, caller: Caller) async throws(Rejection) -> Bool {
        try await names.hasAccount(name, caller: caller)
    }

    /// Whether the account of a name has a passkey, for apps that reveal their users.
    package func hasPasskey(_ name: String) async throws(Rejection) -> Bool { try await names.hasPasskey(name) }

    /// The id that the account of a pending sign-up will have.
    ///
    /// A sign-up for a name with an account has such an id, too.
    package func account(ofSignUp pending: PendingStep) throws(Rejection) -> UUID {
        try shared.tokens.parse(pending.flow, .signUp).id
    }

    /// The kind of flow that a token names; nil for a token that this server did not make.
    package func kind(of flow: String) -> FlowKind? { shared.tokens.kind(of: flow) }

    /// Joins a provider's identity to the account of a recently proved session.
    package func link(
        _ provider: String, _ credential: PresentedCredential, to session: SessionSnapshot, _ request: SignInRequest
    ) async throws(Rejection) -> Linked {
        try await accounts.link(provider: provider, credential, session, request)
    }

    /// Asks a session for a second factor.
    package func stepUp(
        _ session: SessionSnapshot, device: DeviceHint, handing: SessionHanding = .tokens, caller: Caller
    ) async throws(Rejection) -> SignInOutcome {
        let client = try shared.client(of: session)
        return try await steps.stepUp(
            session, SignInRequest(client: client, device: device, handing: handing, caller: caller))
    }

    /// Asks a session of the request's client for a second factor, for a front door with tokens of its own.
    package func stepUp(
        _ session: SessionSnapshot, _ request: SignInRequest
    ) async throws(Rejection) -> SignInOutcome {
        try await steps.stepUp(session, request)
    }
}

// MARK: What a door offers

extension SignInFlows {
    /// Whether a provider of that id takes credentials, as tokens or step by step.
    package func takesCredential(of provider: String) -> Bool {
        signIn.hasProvider(provider) || providerLed.leads(provider)
    }

    /// Whether a provider of that id takes tokens.
    package func takesToken(of provider: String) -> Bool { signIn.hasProvider(provider) }

    /// The widget of an app's bot checks; nil without any.
    package func botWidget(for client: Client) -> BotWidget? { shared.bots?.widget(for: client) }

    /// A nonce for an app to hand to a provider, and its life in seconds.
    package func issueNonce() -> (nonce: String, expiresIn: Int) { signIn.issueNonce() }

    /// A sign-in by a passkey that names its account, for a page to begin; nil where the client has none.
    package func passkeyOffer(for client: Client) -> PendingStep? { try? passkeys.begin(client: client) }

    /// Whether passkeys are configured.
    package var hasPasskeys: Bool { passkeys.isConfigured }
}
