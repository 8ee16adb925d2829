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

/// Leads a sign-in through its steps: the driver of ``SignInCourse``.
///
/// Each sign-in method whose statement answers `next_step` continues here, and so does each answer to a step. The proofs
/// are in the flow's row: a server that stops between two answers loses nothing.
package final class FlowService: Sendable {
    let store: FlowStore
    let clients: ClientRegistry
    let flows: FlowTokens
    let devices: KnownDevices
    let throttles: Throttles
    let starter: SessionStarter
    let outbox: Outbox
    let tools: StepTools
    /// Nil where no bot check is configured.
    let bots: BotGate?
    /// The lifetime of a password that an operator or a back end set, until the user replaces it.
    private let temporaryPasswordLife: TimeInterval
    var logger: Logger { tools.logger }

    /// The lifetime of a step, in seconds; each new step starts it again.
    static let life = 600
    /// The lifetime of a whole flow, and of a link flow that it completes, in seconds.
    static let wholeLife = 3_600
    static let mostTries = 5
    static let codeLength = 6
    /// Seconds between two messages of one flow.
    static let resendWait = 30
    static let mostResends = 5
    /// The lifetime of a remembered device, in seconds.
    static let rememberedLife = 2_592_000

    package init(
        pool: ConnectionPool, clients: ClientRegistry, hasher: PasswordHasher, throttles: Throttles, keys: MasterKeys,
        policy: PasswordPolicy, starter: SessionStarter, outbox: Outbox, relyingParty: RelyingParty?,
        challenge: ChallengeWebhook?, breaches: BreachedPasswords? = nil, bots: BotGate? = nil,
        providers: ProviderRegistry,
        serviceName: String, temporaryPasswordDays: Int = 7,
        random: RandomBytes = .system,
        logger: Logger, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        store = FlowStore(pool: pool, box: SealedBox(keys))
        self.bots = bots
        temporaryPasswordLife = TimeInterval(temporaryPasswordDays * 86_400)
        (self.clients, self.throttles, self.starter, self.outbox) = (clients, throttles, starter, outbox)
        flows = FlowTokens(keys: keys)
        devices = KnownDevices(keys: keys)
        tools = StepTools(
            hasher: hasher, policy: policy, box: SealedBox(keys), recoveryCodes: RecoveryCodes(keys: keys),
            relyingParty: relyingParty, challenge: challenge, breaches: breaches,
            names: SRPNames(pool: pool, keys: keys, logger: logger),
            providers: providers, random: random, codeKey: keys.derived("one-time code"), serviceName: serviceName,
            logger: logger, now: now)
    }

    /// Continues after a first factor that was not enough; its proofs are in the flow.
    func goOn(_ flow: UUID, _ request: SignInRequest) async throws(Rejection) -> SignInOutcome {
        let loaded = try await load(flow, .signIn, request)
        return try await rest(turn(flow, .signIn, loaded, request))
    }

    /// The answer to a step.
    ///
    /// - Parameter resets: whether the step must be the one that sets another password.
    func answer(
        _ response: StepResponse, _ call: FlowCall, _ kind: FlowKind, resets: Bool
    ) async throws(Rejection) -> (result: FlowResult, request: SignInRequest) {
        let turn = try await turn(call, kind)
        guard let step = turn.loaded.flow.progress.step, !resets || step is ResetPasswordStep else {
            throw .flowExpired
        }
        // The same address again asks for another code, which has to wait.
        if let step = step as? CodeSetUpStep, step.isSent(to: response.answer) { return try await resend(call, kind) }
        let verdict = try await turn.context.judge(response, at: step)
        return (try await settle(verdict, response, turn), turn.request)
    }

    /// The pending step, to be shown again after a refused answer.
    func waiting(_ call: FlowCall, _ kind: FlowKind) async throws(Rejection) -> PendingStep {
        let turn = try await turn(call, kind)
        return try pending(turn.loaded.flow, turn, expiresIn: turn.loaded.secondsLeft)
    }

    /// The flow of a call, as it is pending.
    func turn(_ call: FlowCall, _ kind: FlowKind) async throws(Rejection) -> Turn {
        let (flow, request) = try flows.open(call, kind, clients)
        let loaded = try await load(flow.id, kind, request)
        guard flow.revision == nil || flow.revision == loaded.revision else { throw .flowExpired }
        return turn(flow.id, kind, loaded, request)
    }

    func turn(_ id: UUID, _ kind: FlowKind, _ loaded: FlowStore.Loaded, _ request: SignInRequest) -> Turn {
        Turn(flow: id, kind: kind, loaded: loaded, context: context(id, loaded, request), request: request)
    }

    private func load(_ flow: UUID, _ kind: FlowKind, _ request: SignInRequest) async throws(Rejection)
        -> FlowStore.Loaded
    {
        let asking = throttles.wrongAnswers(address: request.caller.address) + throttles.passedOn(by: request.caller)
        let loaded = try await rejecting(logger) {
            try await store.load(
                flow, kind, client: request.client.id, mark: request.device.known, from: request.caller.address,
                asking: asking)
        }
        guard let loaded else { throw .flowExpired }
        return loaded
    }

    func context(_ flow: UUID, _ loaded: FlowStore.Loaded, _ request: SignInRequest) -> StepContext {
        let factors = loaded.factors ?? AccountFactors()
        let mark = request.device.token.flatMap(devices.mark)
        let isRemembered = mark.map { factors.remembered.contains(Hex.encode($0.digest)) } ?? false
        let wait = max(loaded.guessWait, countsByAddress(loaded, request) ? loaded.strangerWait : 0)
        return StepContext(
            flowID: flow, client: request.client.id, srpRealm: request.client.srpRealm, flow: loaded.flow,
            account: loaded.account,
            failures: loaded.failures, guessWait: wait, codeDigest: loaded.codeDigest, factors: factors,
            passwordHash: loaded.passwordHash, replacedHashes: loaded.replacedHashes,
            course: SignInCourse(
                factors: factors,
                isDemandedByClient: request.client.demandsSecondFactor || loaded.flow.session != nil,
                isRemembered: isRemembered && loaded.flow.session == nil && loaded.flow.linkFlow == nil,
                hasCustomChallenge: request.client.hasCustomChallenge && tools.challenge != nil,
                temporaryPasswordsSince: tools.now() - temporaryPasswordLife,
                isRenewal: loaded.flow.renews),
            caller: request.caller,
            charging: { [store, logger] (resendWait: Int?) async throws(Rejection) in
                try await rejecting(logger) {
                    try await store.charge(flow, revision: loaded.revision, resendWait: resendWait)
                }
            },
            tools: tools)
    }

    /// The network buckets that wrong answers are charged to; a known device is exempt from them.
    func asking(_ loaded: FlowStore.Loaded, _ request: SignInRequest) -> [Throttle] {
        guard countsByAddress(loaded, request) else { return [] }
        return throttles.wrongAnswers(address: request.caller.address) + throttles.passedOn(by: request.caller)
    }

    /// Signed-in users and codes on known devices are exempt: one caller cannot try many accounts there.
    private func countsByAddress(_ loaded: FlowStore.Loaded, _ request: SignInRequest) -> Bool {
        guard loaded.flow.session == nil, let step = loaded.flow.progress.step, step.isSprayed else { return false }
        return step is PasswordStep || !isKnown(loaded, request)
    }

    /// Whether the account knows the device.
    private func isKnown(_ loaded: FlowStore.Loaded, _ request: SignInRequest) -> Bool {
        if knownMark(loaded, request) != nil { return true }
        let confirmed = request.device.confirmed.map { Hex.encode(DeviceSecret.digest(of: $0)) }
        return confirmed.map { loaded.factors?.confirmedDevices.contains($0) == true } ?? false
    }

    /// The mark of a known device: made for the flow's name, or for the account's id where the flow has no name.
    func knownMark(_ loaded: FlowStore.Loaded, _ request: SignInRequest) -> KnownDevices.Mark? {
        guard let name = loaded.flow.name ?? loaded.account?.text,
            let mark = devices.presented(request.device.token, for: SignInName.throttleKey(name)),
            loaded.factors?.knownDevices.contains(Hex.encode(mark.digest)) == true
        else { return nil }
        return mark
    }

    /// The sign-in methods that need no provider.
    var signInMethods: [String] {
        FirstFactor.offered(sendsTexts: outbox.reaches(.sms), hasPasskeys: tools.relyingParty != nil)
    }

    func digest(_ code: String, _ flow: UUID) -> [UInt8] { OneTimeCode.digest(code, flow: flow, key: tools.codeKey) }
}
