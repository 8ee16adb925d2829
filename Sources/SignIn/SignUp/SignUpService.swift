import Accounts
import Clients
import Cryptography
import Foundation
import JSON
import Logging
import Messages
import Postgres
import Sessions
import Vocabulary

/// Creates accounts of our own after a code from us was answered.
///
/// No account exists before that, so a sign-up with another user's address leaves nothing behind. Only the mailbox
/// learns whether the address has an account: the answers, their time and the mail's path are equal.
package final class SignUpService: Sendable {
    let shared: FlowServices
    let steps: FlowService
    /// The destinations of codes for names without one.
    let names: NameSignInService
    var pool: ConnectionPool { shared.pool }
    var clients: ClientRegistry { shared.clients }
    var hasher: PasswordHasher { shared.tools.hasher }
    var throttles: Throttles { shared.throttles }
    var flows: FlowTokens { shared.tokens }
    var devices: KnownDevices { shared.devices }
    private var outbox: Outbox { shared.outbox }
    var policy: PasswordPolicy { shared.tools.policy }
    var starter: SessionStarter { shared.starter }
    var codeKey: [UInt8] { shared.tools.codeKey }
    var logger: Logger { shared.logger }

    /// The lifetime of a sign-up code, in seconds.
    static let life = 86_400
    static let codeLength = 6
    static let mostTries = 5
    /// Seconds between two mails of one flow.
    static let resendWait = 30
    static let mostResends = 5

    package init(_ shared: FlowServices, steps: FlowService, names: NameSignInService) {
        (self.shared, self.steps, self.names) = (shared, steps, names)
    }

    /// Sends a code to the address; a user name without an address gets an account at once.
    func begin(_ form: SignUpForm, _ request: SignInRequest) async throws(Rejection) -> SignInOutcome {
        let client = request.client
        let opens = [FirstFactor.password, .emailCode, .smsCode].contains { client.allows(provider: $0.rawValue) }
        guard opens, form.password == nil || client.allows(provider: PasswordSignInService.provider) else {
            throw .providerNotAllowed()
        }
        let new = try NewAccount(form, request.client, policy)
        try outbox.admit(new.contact)
        try await shared.bots?.admit(request)
        // The id of the flow becomes the account's, so that a password's verifier can name it.
        let flow = starter.newID()
        let verifiers = try await payAndHash(new, flow, request)
        // Guesses count by the code's destination, because a new user name costs nothing.
        let bucket = throttles.guessBucket(for: SignInName.throttleKey(new.contact?.text ?? new.name.text))
        let state = new.stored(verifiers, guessBucket: bucket, from: request.caller.address)
        guard let contact = new.contact else { return try await makeAtOnce(new, flow, state, request) }
        guard outbox.reaches(contact.medium) else { throw .deliveryUnavailable }
        let code = OneTimeCode.sixDigits(.system)
        let messages = messages(code, to: contact, client: request.client.id, request.caller)
        let known = try await open(flow, code, contact, state, request, messages)
        try await deliver(messages, known: known)
        return .nextStep(pending(flow, contact, client: request.client.id))
    }

    /// - Parameter names: the names that will sign in.
    func verifiers(
        of password: String, _ account: UUID, _ names: [String], _ request: SignInRequest, in place: HashingPlace
    ) async throws(Rejection) -> PasswordVerifiers {
        let order = try await shared.tools.names?.order(
            for: account, in: request.client.srpRealm, names: names.compactMap(SignInName.init))
        return try await rejecting(logger) {
            let retaken = try await hasher.place(
                after: place, asking: shared.tools.breaches, about: password, for: request.caller.network)
            defer { retaken.leave() }
            return try await hasher.verifiers(of: password, srp: order, in: retaken)
        }
    }

    /// The step of a pending sign-up, without another code.
    func waiting(_ flow: OpenedFlow) async throws(Rejection) -> PendingStep {
        let waiting = try await waiting(flow.id)
        return try pending(flow.id, waiting, flow.request.client, isProved: waiting.isProved)
    }

    func pending(
        _ flow: UUID, _ waiting: WaitingSignUp, _ client: Client, isProved: Bool
    ) throws(Rejection) -> PendingStep {
        guard isProved else { return pending(flow, waiting.contact, client: client.id) }
        guard let lack = waiting.lack(client) else { throw .flowExpired }
        return PendingStep(
            flow: flows.text(FlowReference(flow, .signUp, client: client.id)), expiresIn: FlowService.life,
            step: lack.step)
    }

    /// Sends a new code, which invalidates the earlier one.
    ///
    /// - Parameter isAsked: whether the user asked for it. If a password attempt leads here, that was charged already.
    func resend(_ opened: OpenedFlow, isAsked: Bool = true) async throws(Rejection) -> PendingStep {
        let (flow, request) = (opened.id, opened.request)
        let (client, caller) = (request.client.id, request.caller)
        let contact = try await waiting(flow).contact
        try outbox.admit(contact)
        // A number with an account gets no message here, so a bounce would reveal that other numbers have none.
        if contact.medium == .email, try await rejecting(logger, { try await outbox.hasBounced(contact) }) {
            throw .deliveryRefused
        }
        if isAsked { try await shared.bots?.admit(request) }
        let code = OneTimeCode.sixDigits(.system)
        let digest = OneTimeCode.digest(code, flow: flow, key: codeKey)
        let messages = messages(code, to: contact, client: client, caller)
        // Further mails to the mailbox are few and charged with the first one; each text message is charged separately.
        let price =
            contact.medium == .email
            ? throttles.furtherMail(address: caller.address, client: client)
            : throttles.message(to: contact, address: caller.address, client: client)
        let renewed = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try Renewal.perform(flow, digest, caller, messages, price, connection)
            }
        }
        guard case .renewed(let known) = renewed else { throw renewed.rejection }
        try await deliver(messages, known: known)
        return pending(flow, contact, client: client)
    }

    /// Returns the step of a pending sign-up after its password was verified, and resends the code if one is due.
    func remind(_ flow: UUID, client: Client, caller: Caller) async throws(Rejection) -> PendingStep {
        let opened = OpenedFlow(
            FlowReference(flow, .signUp, client: client.id),
            SignInRequest(client: client, device: DeviceHint(), caller: caller))
        do throws(Rejection) {
            return try await resend(opened, isAsked: false)
        } catch {
            switch error {
            case .resendTooSoon, .tooManyResends, .throttled:
                return pending(flow, try await waiting(flow).contact, client: client.id)
            default: throw error
            }
        }
    }

    private func deliver(_ messages: SignUpMessages, known: Bool) async throws(Rejection) {
        // The answer does not wait for a text message, because the time would reveal whether one was sent.
        guard messages.code.destination.medium == .email else {
            let (outbox, message) = (outbox, known ? messages.accountExists : messages.code)
            // Detached: no part of the time of the request.
            if let message { Task.detached { try? await outbox.deliver(message) } }
            return
        }
        if let message = known ? messages.accountExists : messages.code { try await outbox.deliver(message) }
    }

    /// Makes both messages; the existence of an account decides which one is sent.
    private func messages(
        _ code: String, to contact: Destination, client: String, _ caller: Caller
    ) -> SignUpMessages {
        func message(_ content: MessageContent) -> OutgoingMessage {
            outbox.prepare(content, to: contact, language: caller.language ?? "", account: nil, client: client)
        }
        return SignUpMessages(
            code: message(.code(.signUp, code, lifeSeconds: Self.life)),
            accountExists: contact.medium == .email ? message(.accountExists) : nil)
    }

    func waiting(_ flow: UUID) async throws(Rejection) -> WaitingSignUp {
        let waiting = try await rejecting(logger) {
            try await pool.withConnection { connection in try WaitingSignUp.load(flow, connection) }
        }
        guard let waiting else { throw .flowExpired }
        return waiting
    }

    /// Stores the sign-up and returns whether the address has an account.
    private func open(
        _ flow: UUID, _ code: String, _ contact: Destination, _ state: JSON, _ request: SignInRequest,
        _ messages: SignUpMessages
    ) async throws(Rejection) -> Bool {
        let digest = OneTimeCode.digest(code, flow: flow, key: codeKey)
        let kind = contact.medium == .email ? SignInName.Kind.email : .phone
        let outcome: SignUpBeginning = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.row(
                    """
                    select begin_sign_up_flow(\(flow), \(request.client.id), \(kind.rawValue), \(contact.key), \(JSONText(state.text)),
                        \(digest), \(Int32(Self.resendWait)), \(Int32(Self.life)), \(outgoing: messages.code),
                        \(outgoing: messages.accountExists), \(request.caller.address), \(request.caller.requestID))
                    """
                ).answer()
            }
        }
        switch outcome {
        case .opened: return false
        case .known: return true
        }
    }

    private func makeAtOnce(
        _ new: NewAccount, _ account: UUID, _ state: JSON, _ request: SignInRequest
    ) async throws(Rejection) -> SignInOutcome {
        let device = devices.new(for: SignInName.throttleKey(new.name.text))
        let session = try starter.request(
            for: request, provider: PasswordSignInService.provider, proofs: Proofs([Proof(.password)]),
            name: new.name.text, device: device)
        let (outcome, created): (SignUpAtOnce, Date) = try await rejecting(logger) {
            try await pool.withConnection { connection in
                let row = try connection.row(
                    """
                    select outcome, account_created
                      from sign_up_at_once(\(account), \(JSONText(state.text)), \(session), \(gate: session))
                    """)
                return (try row.answer(), try row.value(1))
            }
        }
        switch outcome {
        case .nextStep: return try await steps.goOn(session.id, request)
        case .signedIn: break
        }
        let summary = AccountSummary(
            id: account, displayName: new.displayName, email: nil, emailVerified: false, createdAt: created)
        return .signedIn(
            try await starter.signedIn(session, account: summary, identity: nil, isNew: true, deviceToken: device.token)
        )
    }

    /// The charge precedes the costly hash and follows the hashing place, so that a 503 for lack of places costs no
    /// attempt.
    private func payAndHash(
        _ new: NewAccount, _ account: UUID, _ request: SignInRequest
    ) async throws(Rejection) -> PasswordVerifiers? {
        guard let password = new.password else {
            try await pay(for: new, request)
            return nil
        }
        let place = try await rejecting(logger) { try await hasher.place(for: request.caller.network) }
        defer { place.leave() }
        try await pay(for: new, request)
        let names = [new.name.text, new.contact?.text].compactMap(\.self)
        return try await verifiers(of: password, account, names, request, in: place)
    }

    private func pay(for new: NewAccount, _ request: SignInRequest) async throws(Rejection) {
        let address = request.caller.address
        let price =
            new.contact.map { throttles.message(to: $0, address: address, client: request.client.id) }
            ?? throttles.start(address: address)
        try await pay(price)
    }

    private func pending(_ flow: UUID, _ contact: Destination, client: String) -> PendingStep {
        PendingStep(
            flow: flows.text(FlowReference(flow, .signUp, client: client)), expiresIn: Self.life,
            step: .confirmSignUp(contact.delivery))
    }
}
