package import Accounts
package import Cryptography
package import Foundation
import JSON
package import Logging
package import Postgres
package import Providers
package import WebAuthn

/// Leads a sign-in through its steps: the driver of ``SignInCourse``.
///
/// Every way in that the database answers with `next_step` comes here, and every answer to a step does. What was proved
/// stands in the flow's row alone; a server that dies between two answers loses nothing.
package struct FlowService: Sendable {
    let store: FlowStore
    let clients: ClientRegistry
    let flows: FlowTokens
    let devices: KnownDevices
    let throttles: Throttles
    let starter: SessionStarter
    let outbox: Outbox
    let tools: StepTools
    var logger: Logger { tools.logger }

    /// How long a person has for a step, in seconds; each step that is reached begins anew.
    static let life = 600
    /// How long all steps of a flow have together, and what waits for its last one, in seconds.
    static let wholeLife = 3_600
    static let mostTries = 5
    static let codeLength = 6
    /// Seconds between two messages of one flow.
    static let resendWait = 30
    static let mostResends = 5
    /// How long a device is not asked again, in seconds.
    static let rememberedLife = 2_592_000

    package init(
        pool: ConnectionPool, clients: ClientRegistry, hasher: PasswordHasher, throttles: Throttles, keys: MasterKeys,
        policy: PasswordPolicy, starter: SessionStarter, outbox: Outbox, relyingParty: RelyingParty?,
        challenge: ChallengeWebhook?, serviceName: String,
        random: RandomBytes = .system,
        logger: Logger, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        store = FlowStore(pool: pool)
        (self.clients, self.throttles, self.starter, self.outbox) = (clients, throttles, starter, outbox)
        flows = FlowTokens(keys: keys)
        devices = KnownDevices(keys: keys)
        tools = StepTools(
            hasher: hasher, policy: policy, box: SealedBox(keys), recoveryCodes: RecoveryCodes(keys: keys),
            relyingParty: relyingParty, challenge: challenge,
            random: random, codeKey: keys.derived("one-time code"), serviceName: serviceName, logger: logger, now: now)
    }

    /// Goes on from a first factor that was not enough: the database has kept what was proved under `flow`.
    func goOn(_ flow: UUID, _ request: SignInRequest) async throws(Rejection) -> SignInOutcome {
        let loaded = try await load(flow, .signIn, request)
        let context = context(flow, loaded, request)
        return try await rest(loaded, context, flow, request)
    }

    /// The answer to a step.
    ///
    /// - Parameter resets: whether the step must be the one that sets another password.
    func answer(_ response: StepResponse, _ call: FlowCall, resets: Bool) async throws(Rejection) -> SignInOutcome {
        let (flow, request) = try flows.open(call, .signIn, clients)
        let loaded = try await load(flow, .signIn, request)
        guard let step = loaded.flow.step, !resets || step is ResetPasswordStep else { throw .flowExpired }
        let context = context(flow, loaded, request)
        let verdict = try await context.judge(response, at: step)
        return try await settle(verdict, response, Turn(flow: flow, loaded: loaded, context: context, request: request))
    }

    private func load(_ flow: UUID, _ kind: FlowKind, _ request: SignInRequest) async throws(Rejection)
        -> FlowStore.Loaded
    {
        let asking = throttles.wrongAnswers(address: request.caller.address)
        let loaded = try await rejecting(logger) {
            try await store.load(flow, kind, client: request.client.id, asking: asking)
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
            flowID: flow, client: request.client.id, flow: loaded.flow, account: loaded.account,
            failures: loaded.failures, guessWait: wait, codeDigest: loaded.codeDigest, factors: factors,
            passwordHash: loaded.passwordHash, replacedHashes: loaded.replacedHashes,
            course: SignInCourse(
                factors: factors,
                isDemandedByClient: request.client.demandsSecondFactor || loaded.flow.session != nil,
                isRemembered: isRemembered && loaded.flow.session == nil && loaded.flow.linkFlow == nil,
                hasCustomChallenge: request.client.hasCustomChallenge && tools.challenge != nil),
            network: request.caller.network, tools: tools)
    }

    /// Where wrong answers are counted besides the account: whoever else fails there does a known device no harm.
    func asking(_ loaded: FlowStore.Loaded, _ request: SignInRequest) -> [Throttle] {
        countsByAddress(loaded, request) ? throttles.wrongAnswers(address: request.caller.address) : []
    }

    /// Not where nobody tries at many accounts: who is signed in already, and codes on a device that the account knows.
    private func countsByAddress(_ loaded: FlowStore.Loaded, _ request: SignInRequest) -> Bool {
        guard loaded.flow.session == nil, let step = loaded.flow.step, step.isSprayed else { return false }
        return step is PasswordStep || knownMark(loaded, request) == nil
    }

    /// The mark that a device presents, where the account still knows it: by the flow's name, or by the account's id where
    /// there is none.
    func knownMark(_ loaded: FlowStore.Loaded, _ request: SignInRequest) -> KnownDevices.Mark? {
        guard let name = loaded.flow.name ?? loaded.account?.text,
            let mark = devices.presented(request.device.token, for: SignInName.throttleKey(name)),
            loaded.factors?.knownDevices.contains(Hex.encode(mark.digest)) == true
        else { return nil }
        return mark
    }

    /// The step that waits, as it is: to be shown again after an answer that was refused.
    func waiting(_ call: FlowCall, _ kind: FlowKind) async throws(Rejection) -> PendingStep {
        let (flow, request) = try flows.open(call, kind, clients)
        let loaded = try await load(flow, kind, request)
        let turn = Turn(flow: flow, loaded: loaded, context: context(flow, loaded, request), request: request)
        return try pending(loaded.flow, turn, kind: kind)
    }

    /// Sends the code of the step again, another one; the earlier ends.
    func resend(_ call: FlowCall, _ kind: FlowKind) async throws(Rejection) -> PendingStep {
        let (flow, request) = try flows.open(call, kind, clients)
        let loaded = try await load(flow, kind, request)
        guard let step = loaded.flow.step, let dispatch = step.dispatch else { throw .nothingToResend }
        try outbox.admit(dispatch.destination)
        if Self.mayTellOfBounce(dispatch.destination, loaded.flow),
            try await rejecting(logger, { try await outbox.hasBounced(dispatch.destination) })
        {
            throw .deliveryRefused
        }
        let turn = Turn(flow: flow, loaded: loaded, context: context(flow, loaded, request), request: request)
        let sending = sending(step, turn)
        let refusal = try await rejecting(logger) {
            try await store.resend(flow, revision: loaded.revision, sending, call.caller)
        }
        if let refusal { throw refusal }
        try await send(sending, dispatch.purpose, of: loaded.flow)
        return try pending(loaded.flow, turn, kind: kind)
    }

    /// Whether a bounce may be told of: to whoever has proved something, and of the mailbox that was named.
    ///
    /// A user name's mailbox is a secret of its owner's, and a number that is nobody's gets nothing that could come back.
    private static func mayTellOfBounce(_ destination: Destination, _ flow: SignInFlow) -> Bool {
        if !flow.proofs.list.isEmpty || flow.session != nil { return true }
        guard case .email(let address) = destination, let named = flow.name.flatMap(EmailAddress.init) else {
            return false
        }
        return named.key.hasSameBytes(as: address.key)
    }

    /// The code that leaves when a step opens.
    func sending(_ step: (any FlowStep)?, _ turn: Turn) -> FlowStore.Sending {
        guard let dispatch = step?.dispatch else { return FlowStore.Sending() }
        return sending(dispatch, turn, isKnown: turn.loaded.account != nil)
    }

    func sending(_ dispatch: CodeDispatch, _ turn: Turn, isKnown: Bool) -> FlowStore.Sending {
        let request = turn.request
        let price = throttles.message(
            to: dispatch.destination, address: request.caller.address, client: request.client.id)
        let code = OneTimeCode.sixDigits(tools.random)
        func message(_ content: MessageContent) -> OutgoingMessage {
            outbox.prepare(
                content, to: dispatch.destination, language: turn.context.flow.language, account: turn.loaded.account,
                client: request.client.id)
        }
        let once = noAccountNotice(dispatch, of: turn.context.flow)
        return FlowStore.Sending(
            digest: digest(code, turn.flow),
            message: isKnown ? message(.code(dispatch.purpose, code, lifeSeconds: Self.life)) : nil,
            notice: !isKnown && once != nil ? message(.noAccount) : nil, once: once, price: price)
    }

    /// Nobody's mailbox is told so, by the way that a code would have gone, once a day; nobody's telephone is left alone, and
    /// the address that is shown for nobody's user name is made up: it may be a stranger's.
    private func noAccountNotice(_ dispatch: CodeDispatch, of flow: SignInFlow) -> Throttle? {
        guard case .email(let mailbox) = dispatch.destination, !flow.beginsWithUserName, flow.proofs.list.isEmpty,
            flow.session == nil, dispatch.purpose == .signIn || dispatch.purpose == .reset
        else { return nil }
        return throttles.noAccountNotice(to: mailbox)
    }

    /// Sends what was written, after the commit.
    ///
    /// Where the name could be nobody's that nothing is sent to, nothing is waited for: whether a message leaves would
    /// show in the time, and in what the other side says to it. So only the first mail of a day to a mailbox is waited for,
    /// whether it is a code or says that there is no account.
    func send(
        _ sending: FlowStore.Sending, _ purpose: CodePurpose?, of flow: SignInFlow
    ) async throws(Rejection) {
        if let once = sending.once, sending.message != nil || sending.notice != nil {
            let told = try await rejecting(logger) { try await store.tellOnce(sending.notice, once) }
            let message = told.isWritten ? sending.notice : sending.message
            guard told.isFirst else { return deliverLater(message) }
            return try await deliver(message)
        }
        try await send(sending.message, purpose, of: flow)
    }

    private func send(
        _ message: OutgoingMessage?, _ purpose: CodePurpose?, of flow: SignInFlow
    ) async throws(Rejection) {
        guard let message else { return }
        let isSilentForNobody = message.destination.medium == .sms || flow.beginsWithUserName
        guard isSilentForNobody, purpose == .signIn || purpose == .reset else { return try await deliver(message) }
        deliverLater(message)
    }

    private func deliver(_ message: OutgoingMessage?) async throws(Rejection) {
        if let message { try await outbox.deliver(message) }
    }

    private func deliverLater(_ message: OutgoingMessage?) {
        guard let message else { return }
        let outbox = outbox
        Task { try? await outbox.deliver(message) }
    }

    /// The ways in that need no provider.
    var waysIn: [String] { Self.waysIn(sendsTexts: outbox.reaches(.sms), hasPasskeys: tools.relyingParty != nil) }

    package static func waysIn(sendsTexts: Bool, hasPasskeys: Bool) -> [String] {
        ["password", "email_otp"] + (sendsTexts ? ["sms_otp"] : [])
            + (hasPasskeys ? [PasskeySignInService.provider] : [])
    }

    func digest(_ code: String, _ flow: UUID) -> [UInt8] { OneTimeCode.digest(code, flow: flow, key: tools.codeKey) }
}
