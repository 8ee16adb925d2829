package import Accounts
package import Clients
package import Cryptography
package import Foundation
import JSON
package import Logging
package import Messages
package import Postgres
package import Providers
package import Sessions
import Vocabulary
package import WebAuthn

/// What the services of flows share: statements, tokens, budgets, codes and the tools of steps.
package final class FlowServices: Sendable {
    let store: FlowStore
    let clients: ClientRegistry
    let tokens: FlowTokens
    let devices: KnownDevices
    let throttles: Throttles
    let starter: SessionStarter
    let outbox: Outbox
    let tools: StepTools
    /// Nil where no bot check is configured.
    let bots: BotGate?
    /// The lifetime of a password that an operator or a back end set, until the user replaces it.
    private let temporaryPasswordLife: TimeInterval
    var pool: ConnectionPool { store.pool }
    var logger: Logger { tools.logger }

    /// Services outside this program, each nil where it is not configured.
    package struct Callouts: Sendable {
        package var challenge: ChallengeWebhook?
        package var breaches: BreachedPasswords?
        package var bots: BotGate?

        package init() {}
    }

    /// - Parameters:
    ///   - relyingParty: nil where passkeys can't be used.
    ///   - serviceName: the issuer name in authenticator apps.
    package init(
        pool: ConnectionPool, keys: MasterKeys, clients: ClientRegistry, providers: ProviderRegistry,
        hasher: PasswordHasher, policy: PasswordPolicy, throttles: Throttles, starter: SessionStarter, outbox: Outbox,
        callouts: Callouts = Callouts(), relyingParty: RelyingParty?, serviceName: String,
        temporaryPasswordDays: Int = 7, logger: Logger, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        store = FlowStore(pool: pool, box: SealedBox(keys))
        (self.clients, self.throttles, self.starter, self.outbox) = (clients, throttles, starter, outbox)
        (tokens, devices, bots) = (FlowTokens(keys: keys), KnownDevices(keys: keys), callouts.bots)
        temporaryPasswordLife = TimeInterval(temporaryPasswordDays * 86_400)
        tools = StepTools(
            hasher: hasher, policy: policy, box: SealedBox(keys), recoveryCodes: RecoveryCodes(keys: keys),
            relyingParty: relyingParty, challenge: callouts.challenge, breaches: callouts.breaches,
            names: SRPNames(pool: pool, keys: keys, logger: logger),
            providers: providers, random: .system, codeKey: keys.derived("one-time code"), serviceName: serviceName,
            logger: logger, now: now)
    }

    /// The sign-in methods that need no provider.
    var signInMethods: [String] {
        FirstFactor.offered(sendsTexts: outbox.reaches(.sms), hasPasskeys: tools.relyingParty != nil)
    }

    /// The client of a session.
    func client(of session: SessionSnapshot) throws(Rejection) -> Client {
        guard let client = clients.client(session.facts.clientID) else { throw .clientUnknown }
        return client
    }
}

// MARK: Pending flows

extension FlowServices {
    /// The flow of a call, as it is pending.
    func pending(_ call: FlowCall, _ kind: FlowKind) async throws(Rejection) -> FlowContext {
        let (flow, request) = try tokens.open(call, kind, clients)
        let context = try await load(flow.id, kind, request)
        guard flow.revision == nil || flow.revision == context.revision else { throw .flowExpired }
        return context
    }

    /// - Throws: `flowExpired` for a flow that has ended or can't be opened any more.
    func load(_ id: UUID, _ kind: FlowKind, _ request: SignInRequest) async throws(Rejection) -> FlowContext {
        // A signed-in user guesses at an own code: strangers and networks have no part in that budget.
        let isOwn = kind == .factor || kind == .address
        let (address, mark) = isOwn ? (nil, nil) : (request.caller.address, request.device.known)
        let loaded = try await rejecting(logger) {
            try await store.load(
                id, kind, client: request.client.id, mark: mark, from: address,
                asking: isOwn ? [] : networkBuckets(request)
            ) { [self] in context(id, kind, $0, account: $1, factors: $2, request) }
        }
        guard var context = loaded?.context, let loaded else { throw .flowExpired }
        if countsByNetwork(context) { context.guessWait = max(context.guessWait, loaded.networkWait) }
        let revision = context.revision
        context.charging = { [store, logger] (resendWait: Int?) async throws(Rejection) in
            try await rejecting(logger) { try await store.charge(id, revision: revision, resendWait: resendWait) }
        }
        return context
    }

    /// A new flow, or one whose row gives further facts.
    func context(
        _ id: UUID, _ kind: FlowKind, _ flow: SignInFlow, account: UUID? = nil,
        factors: AccountFactors = AccountFactors(), _ request: SignInRequest
    ) -> FlowContext {
        let mark = request.device.token.flatMap(devices.mark)
        let isRemembered = mark.map { factors.remembered.contains(Hex.encode($0.digest)) } ?? false
        let course = SignInCourse(
            factors: factors,
            isDemandedByClient: request.client.demandsSecondFactor || flow.session != nil,
            isRemembered: isRemembered && flow.session == nil && flow.linkFlow == nil,
            hasCustomChallenge: request.client.hasCustomChallenge && tools.challenge != nil,
            temporaryPasswordsSince: tools.now() - temporaryPasswordLife,
            isRenewal: flow.renews)
        return FlowContext(id, kind, flow, account: account, factors: factors, course: course, request, tools)
    }

    /// The pending step of a flow with its token.
    ///
    /// - Parameters:
    ///   - revision: the revision that the token names; nil for the loaded one.
    ///   - expiresIn: the remaining time in seconds; nil for a step that was just opened.
    func shown(
        _ context: FlowContext, _ recoveryCodes: [String]? = nil, revision: Int? = nil, expiresIn: Int? = nil
    ) throws(Rejection) -> PendingStep {
        guard let step = context.flow.progress.step else { throw .internalError }
        let token = FlowReference(
            context.id, context.kind, client: context.request.client.id,
            revision: context.request.renewsFlowTokens ? revision ?? context.revision : nil)
        return PendingStep(
            flow: tokens.text(token), expiresIn: expiresIn ?? step.life, step: try step.shown(context),
            recoveryCodes: recoveryCodes)
    }
}

// MARK: Budgets

extension FlowServices {
    private func networkBuckets(_ request: SignInRequest) -> [Throttle] {
        throttles.wrongAnswers(address: request.caller.address) + throttles.passedOn(by: request.caller)
    }

    /// The network buckets that wrong answers are charged to; a known device is exempt from them.
    func chargedNetworks(_ context: FlowContext) -> [Throttle] {
        countsByNetwork(context) ? networkBuckets(context.request) : []
    }

    /// Signed-in users and codes on known devices are exempt: one caller cannot try many accounts there.
    private func countsByNetwork(_ context: FlowContext) -> Bool {
        guard context.flow.session == nil, let step = context.flow.progress.step, step.isSprayed else { return false }
        return step is PasswordStep || !isKnownDevice(context)
    }

    private func isKnownDevice(_ context: FlowContext) -> Bool {
        if knownMark(context) != nil { return true }
        let confirmed = context.request.device.confirmed.map { Hex.encode(DeviceSecret.digest(of: $0)) }
        return confirmed.map(context.factors.confirmedDevices.contains) ?? false
    }

    /// The mark of a known device: made for the flow's name, or for the account's id where the flow has no name.
    private func knownMark(_ context: FlowContext) -> KnownDevices.Mark? {
        guard let name = context.flow.name ?? context.account?.text,
            let mark = devices.presented(context.request.device.token, for: SignInName.throttleKey(name)),
            context.factors.knownDevices.contains(Hex.encode(mark.digest))
        else { return nil }
        return mark
    }

    /// A known device keeps its mark.
    ///
    /// Other devices get a new one, and so does every device after a new password.
    ///
    /// The mark of a remembered device is valid under every name of the account.
    func deviceMark(_ flow: SignInFlow, _ context: FlowContext) -> KnownDevices.Mark {
        let name = SignInName.throttleKey(flow.name ?? context.account?.text ?? "")
        guard flow.progress.newPassword == nil else { return devices.new(for: name) }
        if let token = context.request.device.token, let mark = devices.mark(token),
            context.factors.remembered.contains(Hex.encode(mark.digest))
        {
            return mark
        }
        return knownMark(context) ?? devices.new(for: name)
    }

    /// The flow with the budget of its step: passwords have that of plain sign-ins, codes of a name another one.
    func budgeted(_ flow: SignInFlow, _ client: Client) -> SignInFlow {
        var flow = flow
        let isPassword = flow.progress.step is PasswordStep || flow.progress.step is SRPStep
        flow.guess = isPassword ? throttles.passwordGuess(client: client.id) : nil
        guard flow.from != nil, let key = flow.name.map(SignInName.throttleKey) else { return flow }
        let bucket =
            isPassword
            ? throttles.passwordAttempt(name: key, client: client.id)[0].bucket : throttles.guessBucket(for: key)
        flow.guessBucket = Hex.encode(bucket)
        return flow
    }
}
