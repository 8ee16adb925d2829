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
/// Each sign-in method whose statement answers `next_step` continues here, and so does each answer to a step. The proofs
/// are in the flow's row: a server that stops between two answers loses nothing.
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

    /// Continues after a first factor that was not enough; its proofs are in the flow.
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

    /// The network buckets that wrong answers are charged to; a known device is exempt from them.
    func asking(_ loaded: FlowStore.Loaded, _ request: SignInRequest) -> [Throttle] {
        countsByAddress(loaded, request) ? throttles.wrongAnswers(address: request.caller.address) : []
    }

    /// Signed-in users and codes on known devices are exempt: nobody can try many accounts there.
    private func countsByAddress(_ loaded: FlowStore.Loaded, _ request: SignInRequest) -> Bool {
        guard loaded.flow.session == nil, let step = loaded.flow.step, step.isSprayed else { return false }
        return step is PasswordStep || knownMark(loaded, request) == nil
    }

    /// The mark of a known device: made for the flow's name, or for the account's id where the flow has no name.
    func knownMark(_ loaded: FlowStore.Loaded, _ request: SignInRequest) -> KnownDevices.Mark? {
        guard let name = loaded.flow.name ?? loaded.account?.text,
            let mark = devices.presented(request.device.token, for: SignInName.throttleKey(name)),
            loaded.factors?.knownDevices.contains(Hex.encode(mark.digest)) == true
        else { return nil }
        return mark
    }

    /// The pending step, to be shown again after a refused answer.
    func waiting(_ call: FlowCall, _ kind: FlowKind) async throws(Rejection) -> PendingStep {
        let (flow, request) = try flows.open(call, kind, clients)
        let loaded = try await load(flow, kind, request)
        let turn = Turn(flow: flow, loaded: loaded, context: context(flow, loaded, request), request: request)
        return try pending(loaded.flow, turn, kind: kind)
    }

    /// Sends another code for the pending step; the earlier code ends.
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

    /// Whether the answer may reveal that messages bounce: after a proof, or for the address that was typed.
    ///
    /// The address of a user name is its owner's secret. An unknown number gets no message that could bounce.
    private static func mayTellOfBounce(_ destination: Destination, _ flow: SignInFlow) -> Bool {
        if !flow.proofs.list.isEmpty || flow.session != nil { return true }
        guard case .email(let address) = destination, let named = flow.name.flatMap(EmailAddress.init) else {
            return false
        }
        return named.key.hasSameBytes(as: address.key)
    }

    /// The code that is sent when a step opens.
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

    /// For unknown addresses, send "no account" over the same channel, once a day.
    ///
    /// Unknown numbers get nothing. The address shown for an unknown user name is invented and may be a stranger's.
    private func noAccountNotice(_ dispatch: CodeDispatch, of flow: SignInFlow) -> Throttle? {
        guard case .email(let mailbox) = dispatch.destination, !flow.beginsWithUserName, flow.proofs.list.isEmpty,
            flow.session == nil, dispatch.purpose == .signIn || dispatch.purpose == .reset
        else { return nil }
        return throttles.noAccountNotice(to: mailbox)
    }

    /// Sends the written message, after the commit.
    ///
    /// Waiting for the delivery would reveal in time and result whether a message was sent. So only the first mail of a day
    /// to an address is waited for, whether it is a code or a "no account" notice.
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

    /// The sign-in methods that need no provider.
    var waysIn: [String] { Self.waysIn(sendsTexts: outbox.reaches(.sms), hasPasskeys: tools.relyingParty != nil) }

    package static func waysIn(sendsTexts: Bool, hasPasskeys: Bool) -> [String] {
        ["password", "email_otp"] + (sendsTexts ? ["sms_otp"] : [])
            + (hasPasskeys ? [PasskeySignInService.provider] : [])
    }

    func digest(_ code: String, _ flow: UUID) -> [UInt8] { OneTimeCode.digest(code, flow: flow, key: tools.codeKey) }
}
