package import Accounts
package import Cryptography
import Foundation
import JSON
package import Logging
package import Postgres
import Providers

/// What a person types to sign up with a password.
package struct SignUpForm: Sendable {
    package let email: String
    package let password: String
    package let displayName: String?

    package init(email: String, password: String, displayName: String?) {
        (self.email, self.password, self.displayName) = (email, password, displayName)
    }
}

/// Makes password accounts, once a code that we sent has come back.
///
/// No account exists before that, so a sign-up with somebody else's address leaves nothing behind. Whether the address
/// has an account is told to its mailbox alone: the answers, their time and the mail's way are the same.
package struct SignUpService: Sendable {
    private let pool: ConnectionPool
    private let clients: ClientRegistry
    private let hasher: PasswordHasher
    private let throttles: Throttles
    private let flows: FlowTokens
    private let devices: KnownDevices
    private let outbox: Outbox
    private let policy: PasswordPolicy
    private let starter: SessionStarter
    private let steps: FlowService
    private let codeKey: [UInt8]
    private let random: RandomBytes
    private let logger: Logger

    /// How long a code for a sign-up is good, in seconds.
    static let life = 86_400
    static let codeLength = 6
    static let mostTries = 5
    /// Seconds between two mails of one flow.
    static let resendWait = 30
    static let mostResends = 5

    package init(
        pool: ConnectionPool, clients: ClientRegistry, hasher: PasswordHasher, throttles: Throttles, keys: MasterKeys,
        outbox: Outbox, policy: PasswordPolicy, starter: SessionStarter, steps: FlowService,
        random: RandomBytes = .system, logger: Logger
    ) {
        (self.pool, self.hasher, self.throttles, self.policy) = (pool, hasher, throttles, policy)
        (self.clients, self.starter, self.random, self.logger) = (clients, starter, random, logger)
        (self.steps, self.outbox) = (steps, outbox)
        flows = FlowTokens(keys: keys)
        devices = KnownDevices(keys: keys)
        codeKey = keys.derived("one-time code")
    }

    package func begin(_ form: SignUpForm, request: SignInRequest) async throws(Rejection) -> PendingStep {
        guard request.client.allows(provider: PasswordSignInService.provider) else { throw .providerNotAllowed }
        guard let address = EmailAddress(form.email) else {
            throw .invalidMember(pointer: "/username", reason: "not_an_email_address")
        }
        try policy.check(form.password, address)
        // Paid for before the hash, which is what costs.
        try await pay(for: address, request)
        let hash = try await rejecting(logger) { try await hasher.hash(PasswordPolicy.normalised(form.password)) }
        let flow = starter.newID()
        let code = OneTimeCode.sixDigits(random)
        let mails = mails(code, to: address, client: request.client.id, request.caller)
        let known = try await open(flow, code, address, form, hash: hash, request, mails)
        try await outbox.deliver(known ? mails.accountExists : mails.code)
        return pending(flow, address, client: request.client.id)
    }

    /// The typed code: an account and a session, or a refusal that says how many tries are left.
    ///
    /// - Parameter owner: the client that must have begun the flow, where the caller knows it.
    package func confirm(
        flow text: String, code: String, of owner: Client? = nil, device: DeviceHint,
        handing: SessionHanding = .tokens, caller: Caller
    ) async throws(Rejection) -> SignInOutcome {
        let (flow, clientID) = try flows.parse(text, .signUp)
        guard let client = clients.client(clientID) else { throw .clientUnknown }
        guard owner.map({ $0.id == client.id }) ?? true else { throw .flowExpired }
        let request = SignInRequest(client: client, device: device, handing: handing, caller: caller)
        let digest = OneTimeCode.digest(code, flow: flow, key: codeKey)
        let account = starter.newID()
        let session = starter.request(for: request, provider: PasswordSignInService.provider, proofs: Proofs([Proof(.password)]))
        let confirmed = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try Confirmation.perform(flow, digest, mostTries: Self.mostTries, account, session, connection)
            }
        }
        if case .further = confirmed { return try await steps.goOn(session.id, request) }
        guard case .signedIn(let summary) = confirmed else { throw confirmed.rejection }
        let deviceToken = summary.email.map { devices.issue(for: EmailAddress.throttleKey($0)) }
        return .signedIn(
            try starter.signedIn(session, account: summary, identity: nil, isNew: true, deviceToken: deviceToken))
    }

    /// Another mail with another code; the earlier code ends.
    package func resend(flow text: String, caller: Caller) async throws(Rejection) -> PendingStep {
        let (flow, client) = try flows.parse(text, .signUp)
        let address = try await address(of: flow)
        let code = OneTimeCode.sixDigits(random)
        let digest = OneTimeCode.digest(code, flow: flow, key: codeKey)
        let mails = mails(code, to: address, client: client, caller)
        let renewed = try await rejecting(logger) {
            try await pool.withConnection { connection in try Renewal.perform(flow, digest, caller, mails, connection) }
        }
        guard case .renewed(let known) = renewed else { throw renewed.rejection }
        try await outbox.deliver(known ? mails.accountExists : mails.code)
        return pending(flow, address, client: client)
    }

    /// The mails of which one is sent, whether or not the address has an account.
    private func mails(_ code: String, to address: EmailAddress, client: String, _ caller: Caller) -> SignUpMails {
        func mail(_ content: MessageContent) -> OutgoingMessage {
            outbox.prepare(
                content, to: .email(address), language: caller.language ?? "", account: nil, client: client)
        }
        return SignUpMails(
            code: mail(.code(.signUp, code, lifeSeconds: Self.life)), accountExists: mail(.accountExists))
    }

    private func address(of flow: UUID) async throws(Rejection) -> EmailAddress {
        let text: String? = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne(
                    "select state->>'address' from flows where id = \(flow) and kind = 'sign_up' and expires_at > now()"
                )?.value(0)
            }
        }
        guard let address = text.flatMap(EmailAddress.init) else { throw .flowExpired }
        return address
    }

    /// Keeps the sign-up; answers whether the address has an account.
    private func open(
        _ flow: UUID, _ code: String, _ address: EmailAddress, _ form: SignUpForm, hash: String,
        _ request: SignInRequest, _ mails: SignUpMails
    ) async throws(Rejection) -> Bool {
        let name = EmailAddress.throttleKey(address.text)
        var state: JSONObject = [
            "version": 1, "address": .string(address.text), "password_hash": .string(hash),
            "guess_bucket": .string(Hex.encode(throttles.guessBucket(for: name))),
        ]
        state["display_name"] = form.displayName.flatMap { DisplayName.clean($0, limit: 200) }.map(JSON.string)
        let stored = JSONText(JSON.object(state).text)
        let digest = OneTimeCode.digest(code, flow: flow, key: codeKey)
        return try await rejecting(logger) {
            try await pool.withConnection { connection in
                let row = try connection.queryOne(
                    """
                    select begin_sign_up(\(flow), \(request.client.id), \(address.key), \(stored), \(digest),
                        \(Int32(Self.resendWait)), \(Int32(Self.life)), \(request.caller.address), \(request.caller.requestID),
                        \(outgoing: mails.code), \(outgoing: mails.accountExists))
                    """)
                guard let row else { throw Rejection.internalError }
                return try row.value(0)
            }
        }
    }

    private func pay(for address: EmailAddress, _ request: SignInRequest) async throws(Rejection) {
        let price = throttles.mail(to: EmailAddress.throttleKey(address.text), address: request.caller.address)
        let wait: Double = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne("select take_from_throttles(\(price))").map { try $0.value(0) } ?? 0
            }
        }
        guard wait <= 0 else { throw .throttled(retryAfter: Int(wait.rounded(.up))) }
    }

    private func pending(_ flow: UUID, _ address: EmailAddress, client: String) -> PendingStep {
        PendingStep(
            flow: flows.text(flow, .signUp, client: client), expiresIn: Self.life,
            step: .confirmSignUp(
                CodeDelivery(
                    medium: .email, destination: address.masked, codeLength: Self.codeLength,
                    resendAfter: Self.resendWait))
        )
    }
}
