import Accounts
package import Cryptography
package import Foundation
import JSON
package import Logging
package import Postgres
package import Providers

/// Signs people in with a provider's credential: the machine's only driver.
///
/// It verifies, looks up, decides by the policy, changes and issues; every front door calls these methods and nothing
/// below them.
package struct SignInService: Sendable {
    private let providers: ProviderRegistry
    /// The providers whose credentials an app brings itself, by id: every sign-in looks here.
    private let adapters: [String: any TokenSignIn]
    private let clients: ClientRegistry
    let store: SignInStore
    private let nonces: ServerNonces
    let flows: FlowTokens
    private let box: SealedBox
    let starter: SessionStarter
    let directory: SessionDirectory
    /// Where a sign-in goes that needs more.
    private let steps: FlowService
    let throttles: Throttles
    let shutOut = ShutOutNetworks()
    let logger: Logger
    let now: @Sendable () -> Date

    /// How long a person has to prove the other account, in seconds.
    static let linkFlowLife = 600

    package init(
        providers: ProviderRegistry, clients: ClientRegistry, pool: ConnectionPool, keys: MasterKeys,
        starter: SessionStarter, directory: SessionDirectory, steps: FlowService, throttles: Throttles, logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.providers, self.clients, self.starter) = (providers, clients, starter)
        (self.directory, self.steps, self.throttles) = (directory, steps, throttles)
        (self.logger, self.now) = (logger, now)
        adapters = Dictionary(
            providers.all((any TokenSignIn).self).map { ($0.id.rawValue, $0) }, uniquingKeysWith: { first, _ in first })
        store = SignInStore(pool: pool)
        nonces = ServerNonces(keys: keys)
        flows = FlowTokens(keys: keys)
        box = SealedBox(keys)
    }

    /// A nonce for an app to hand to a provider, and its life in seconds.
    package func issueNonce() -> (nonce: String, expiresIn: Int) {
        (nonces.issue(at: now()), ServerNonces.life)
    }

    /// Whether sign-in with that provider exists at all.
    func hasProvider(_ id: String) -> Bool { adapters.index(forKey: id) != nil }

    /// Every way in that can be used today, whatever the client.
    package var waysIn: [String] { providers.all.map(\.id.rawValue) + steps.waysIn }

    /// The ways in that people of a client could use today.
    func waysIn(of client: Client) -> [String] { waysIn.filter(client.allows) }

    /// What a provider is called on pages; its id where it is no longer configured.
    package func providerName(_ id: String) -> String {
        ProviderID(rawValue: id).flatMap { providers[$0]?.displayName } ?? id
    }

    func signIn(
        provider: String, _ credential: ProviderCredential, _ request: SignInRequest
    ) async throws(Rejection) -> SignInOutcome {
        let presented = try await verify(provider: provider, credential, request)
        return try await signIn(presented, request: request)
    }

    /// Signs in with an identity that a provider has told at the end of its steps.
    func signIn(_ external: ExternalIdentity, linkFlow: UUID?, request: SignInRequest) async throws(Rejection)
        -> SignInOutcome
    {
        let presented = try presented(external, spending: try spending(external), linkFlow, request)
        return try await signIn(presented, request: request)
    }

    /// Signs in with a credential that was verified.
    func signIn(_ presented: SignInStore.Presented, request: SignInRequest) async throws(Rejection) -> SignInOutcome {
        var machine = SignInMachine(
            policy: request.client.linkingPolicy, hasAddress: presented.identity.linkingKey != nil,
            isAuthority: presented.identity.emailVerified, provesLinkFlow: presented.linkFlow != nil,
            carriesSession: request.carriesSession)
        let result = try await charging(presented.price) { () async throws(Rejection) in
            try await drive(&machine, presented, request)
        }
        shutOut.letIn(presented.price)
        return try await outcome(result, presented, request)
    }

    private func outcome(
        _ result: SignInMachine.Result, _ presented: SignInStore.Presented, _ request: SignInRequest
    ) async throws(Rejection) -> SignInOutcome {
        switch result {
        case .asked(let pending): return .nextStep(pending)
        case .stepDue: return try await steps.goOn(presented.session.id, request)
        case .signedIn(let person, let isNew):
            return .signedIn(try await starter.signedIn(presented.session, person: person, isNew: isNew))
        }
    }

    /// Ends a link flow without joining: a new account that doesn't carry the address.
    func declineLink(_ call: FlowCall) async throws(Rejection) -> SignInOutcome {
        let (flow, request) = try flows.open(call, .linkAccount, clients)
        let state = try await rejecting(logger) { try await store.linkFlow(flow, client: request.client.id) }
        guard let state else { throw .flowExpired }
        let session = starter.request(
            for: request, provider: state.identity.provider, proofs: Proofs([state.identity.proof]),
            provedAt: state.provedAt)
        var presented = SignInStore.Presented(
            identity: state.identity, spending: [], token: state.token, linkFlow: nil, session: session)
        presented.declined = .init(flow: flow, identity: state.identityID)
        var machine = SignInMachine(declining: request.client.linkingPolicy)
        return try await outcome(try await drive(&machine, presented, request), presented, request)
    }

    /// Verifies an identity for a session that wants to link it.
    func verify(
        provider: String, _ credential: ProviderCredential, _ request: SignInRequest
    ) async throws(Rejection) -> SignInStore.Presented {
        guard let adapter = adapters[provider] else { throw .providerUnknown }
        guard request.client.allows(provider: provider) else { throw .providerNotAllowed }
        // Whoever is given a provider's token could bring it: administration is opened by a redirect that began here.
        guard !request.client.audiences.contains(.administration) else { throw .providerNotAllowed }
        let linkFlow = try request.linkFlowID(flows)
        if adapter.bindsNonces { try checkNonce(besideCode: credential) }
        let price = try price(of: credential, at: adapter, request)
        let external = try await asking(provider, price) { () async throws(ProviderError) in
            try await adapter.verify(credential.members, at: now())
        }
        return try await charging(price) { () async throws(Rejection) in
            try presented(external, spending: try spending(external), linkFlow, request, price)
        }
    }

    /// Exchanges the code that a browser brought back.
    ///
    /// - Parameters:
    ///   - state: what finishing the redirect spends.
    ///   - asked: when the person was asked to prove themselves anew; nil where they were not.
    func redeem(
        _ answer: RedirectAnswer, at adapter: any RedirectSignIn, spending state: Spending,
        reauthenticating asked: Date?, request: SignInRequest
    ) async throws(Rejection) -> SignInStore.Presented {
        let linkFlow = try request.linkFlowID(flows)
        let price = try requestPrice(request)
        let external = try await asking(adapter.id.rawValue, price) { () async throws(ProviderError) in
            try await adapter.redeem(answer, at: now())
        }
        if let asked, !Self.isReauthenticated(external, since: asked, by: adapter) { throw .reauthRequired }
        let code = Spending(kind: .credential, digest: external.replayDigest, end: external.replayEnd)
        return try await charging(price) { () async throws(Rejection) in
            try presented(external, spending: [state, code], linkFlow, request, price)
        }
    }

    /// OpenID Connect Core §3.1.2.1: an issuer that was asked for a new proof says when it was given; a minute of the
    /// clocks' difference is granted.
    private static func isReauthenticated(
        _ external: ExternalIdentity, since asked: Date, by adapter: any RedirectSignIn
    ) -> Bool {
        guard let proved = external.authenticatedAt else { return !adapter.tellsSignInTime }
        return proved >= asked.addingTimeInterval(-60)
    }

    /// What every way from a provider comes to, before it opens or joins anything: here it is asked which audiences the client accepts.
    private func presented(
        _ external: ExternalIdentity, spending: [Spending], _ linkFlow: UUID?, _ request: SignInRequest,
        _ price: [Throttle] = []
    ) throws(Rejection) -> SignInStore.Presented {
        guard request.client.allows(audiences: external.audiences, of: external.provider.rawValue) else {
            throw .credential(.audienceMismatch)
        }
        let identity = VerifiedIdentity(external)
        return SignInStore.Presented(
            identity: identity, spending: spending, token: sealed(external), linkFlow: linkFlow,
            session: starter.request(
                for: request, provider: external.provider.rawValue, proofs: Proofs([identity.proof]),
                provedAt: external.provedAt(now())),
            price: price)
    }

    // MARK: Pieces

    /// Refuses what can't sign in before its code is exchanged: a code is good once, and what it buys would be lost.
    private func checkNonce(besideCode credential: ProviderCredential) throws(Rejection) {
        guard credential.hasAuthorizationCode, let nonce = credential.nonce else { return }
        _ = try nonces.spending(nonce, at: now())
    }

    private func spending(_ external: ExternalIdentity) throws(Rejection) -> [Spending] {
        guard let nonce = external.nonce else {
            return [Spending(kind: .credential, digest: external.replayDigest, end: external.replayEnd)]
        }
        let (digest, until) = try nonces.spending(nonce, at: now())
        return [
            Spending(kind: .credential, digest: external.replayDigest, end: nil),
            Spending(kind: .nonce, digest: digest, end: .itsOwn(until)),
        ]
    }

    private func sealed(_ external: ExternalIdentity) -> SealedProviderToken? {
        external.upstreamTokens.first.map { token in
            SealedProviderToken(
                clientID: token.clientID, sealed: box.seal(token.token.revealed, purpose: SealedProviderToken.purpose))
        }
    }

    private func asking(
        _ provider: String, _ price: [Throttle], _ body: () async throws(ProviderError) -> ExternalIdentity
    ) async throws(Rejection) -> ExternalIdentity {
        do throws(ProviderError) {
            return try await body()
        } catch {
            report(error, provider)
            if error.isCredentialsFault { await charge(price) } else { shutOut.returnTurn(price) }
            throw Rejection(error)
        }
    }

    /// Says in the log what the operator should know of a provider's failure.
    func report(_ error: ProviderError, _ provider: String) {
        switch error {
        case .unavailable(let reason, _):
            logger.warning("a provider is unavailable", metadata: ["provider": "\(provider)", "reason": "\(reason)"])
        case .misconfigured(let reason):
            logger.error("a provider refuses us", metadata: ["provider": "\(provider)", "reason": "\(reason)"])
        case .invalidRequest, .refused: break
        }
    }
}
