import Accounts
import Clients
package import Cryptography
import Foundation
import JSON
import Logging
import Postgres
import Providers
package import Sessions
import Vocabulary

/// Signs users in with a provider's credential: the only driver of ``SignInMachine``.
package final class SignInService: Sendable {
    private let providers: ProviderRegistry
    /// The adapters of providers that take tokens, by id.
    private let adapters: [String: any TokenSignIn]
    let store: SignInStore
    private let nonces: ServerNonces
    let flows: FlowTokens
    private let box: SealedBox
    let starter: SessionStarter
    let directory: SessionDirectory
    let shared: FlowServices
    /// Continues sign-ins that need a further step.
    let steps: FlowService
    let throttles: Throttles
    let blocked = BlockedNetworks()
    let logger: Logger
    let now: @Sendable () -> Date

    /// The greatest age of a token with a foreign nonce, in seconds.
    static let foreignNonceAge: TimeInterval = 300
    /// The lifetime of a link flow, in seconds.
    static let linkFlowLife = 600

    package init(_ shared: FlowServices, steps: FlowService, directory: SessionDirectory, keys: MasterKeys) {
        (self.shared, self.steps, self.directory) = (shared, steps, directory)
        (providers, starter) = (shared.tools.providers, shared.starter)
        (flows, throttles, logger, now) = (shared.tokens, shared.throttles, shared.logger, shared.tools.now)
        adapters = Dictionary(
            providers.all((any TokenSignIn).self).map { ($0.id.rawValue, $0) }, uniquingKeysWith: { first, _ in first })
        store = SignInStore(pool: shared.pool)
        nonces = ServerNonces(keys: keys)
        box = shared.tools.box
    }

    /// A nonce for an app to hand to a provider, and its life in seconds.
    package func issueNonce() -> (nonce: String, expiresIn: Int) {
        (nonces.issue(at: now()), ServerNonces.life)
    }

    /// Spends values on their own; false where one of them was spent before.
    func spend(_ spending: [Spending]) async throws -> Bool { try await store.spend(spending) }

    func isSpent(_ spending: Spending) async throws(Rejection) -> Bool {
        try await rejecting(logger) { try await store.isSpent(spending) }
    }

    /// Whether the provider takes tokens.
    func hasProvider(_ id: String) -> Bool { adapters.index(forKey: id) != nil }

    /// The configured sign-in methods.
    package var signInMethods: [String] { providers.all.map(\.id.rawValue) + shared.signInMethods }

    /// The configured sign-in methods that a client allows.
    func signInMethods(of client: Client) -> [String] { signInMethods.filter(client.allows) }

    /// The provider's name on pages; its id where it is no longer configured.
    package func providerName(_ id: String) -> String {
        ProviderID(rawValue: id).flatMap { providers[$0]?.displayName } ?? id
    }

    func signIn(
        provider: String, _ credential: PresentedCredential, _ request: SignInRequest
    ) async throws(Rejection) -> SignInOutcome {
        let presented = try await verify(provider: provider, credential, request)
        return try await signIn(presented, request: request)
    }

    /// Signs in with the identity at the end of a provider's steps: the user has just answered them.
    func signIn(_ external: ExternalIdentity, linkFlow: UUID?, request: SignInRequest) async throws(Rejection)
        -> SignInOutcome
    {
        var external = external
        external.authenticatedAt = external.authenticatedAt ?? external.provedAt(now())
        let presented = try presented(external, spending: try spending(external, request.client), linkFlow, request)
        return try await signIn(presented, request: request)
    }

    /// Signs in with a verified credential.
    func signIn(_ presented: SignInStore.Presented, request: SignInRequest) async throws(Rejection) -> SignInOutcome {
        var machine = SignInMachine(
            policy: request.client.linkingPolicy, hasAddress: presented.identity.linkingKey != nil,
            isAuthority: presented.identity.emailVerified, provesLinkFlow: presented.linkFlow != nil,
            carriesSession: request.carriesSession)
        let end = try await charging(presented.price) { () async throws(Rejection) in
            try await drive(&machine, presented, request)
        }
        blocked.unblock(presented.price)
        return try await outcome(end, presented, request)
    }

    /// Declines a link: the identity gets a new account without the address.
    func declineLink(_ opened: OpenedFlow) async throws(Rejection) -> SignInOutcome {
        let (flow, request) = (opened.id, opened.request)
        let state = try await rejecting(logger) { try await store.linkFlow(flow, client: request.client.id) }
        guard let state else { throw .flowExpired }
        let session = try starter.request(
            for: request, provider: state.identity.provider, proofs: Proofs([state.identity.proof]),
            provedAt: state.provedAt)
        var presented = SignInStore.Presented(
            identity: state.identity, spending: [], token: state.token, linkFlow: nil, session: session)
        presented.declined = .init(flow: flow, identity: state.identityID)
        var machine = SignInMachine(declining: request.client.linkingPolicy)
        return try await outcome(try await drive(&machine, presented, request), presented, request)
    }

    /// Verifies a credential.
    func verify(
        provider: String, _ credential: PresentedCredential, _ request: SignInRequest
    ) async throws(Rejection) -> SignInStore.Presented {
        guard let adapter = adapters[provider] else {
            throw .providerUnknown(SentText(provider), offered: request.client.providers)
        }
        try request.client.require(provider: provider)
        // Any recipient of a provider's token could send it. Administration needs a redirect that began here.
        guard !request.client.audiences.contains(.administration) else { throw .providerNotAllowed() }
        let linkFlow = try request.linkFlowID(flows)
        if adapter.bindsNonces { try checkNonce(besideCode: credential) }
        let price = try price(of: credential, at: adapter, request)
        let external = try await asking(provider, price) { () async throws(ProviderError) in
            try await adapter.verify(credential.members, at: now())
        }
        return try await charging(price) { () async throws(Rejection) in
            try presented(external, spending: try spending(external, request.client), linkFlow, request, price)
        }
    }

    /// Redeems the code of a provider's answer.
    ///
    /// - Parameters:
    ///   - state: the redirect state to spend.
    ///   - asked: the time of the request for a new proof; nil without one.
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

    /// OpenID Connect Core §3.1.2.1: `auth_time` is after the request for a new proof, with a minute for clock differences.
    private static func isReauthenticated(
        _ external: ExternalIdentity, since asked: Date, by adapter: any RedirectSignIn
    ) -> Bool {
        guard let proved = external.authenticatedAt else { return !adapter.tellsSignInTime }
        return proved >= asked.addingTimeInterval(-60)
    }

    /// The verified identity with its session, once the client accepts the token's audiences.
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
            session: try starter.request(
                for: request, provider: external.provider.rawValue, proofs: Proofs([identity.proof]),
                provedAt: external.provedAt(now())),
            price: price)
    }

    // MARK: Pieces

    /// Stores the provider's facts as missing attributes of the account.
    ///
    /// A failure must not undo the sign-in: its credential is spent. The next sign-in stores them.
    func fillAttributes(_ presented: SignInStore.Presented) async {
        guard !presented.identity.attributes.isEmpty else { return }
        _ = try? await rejecting(logger) { try await store.fillAttributes(presented) }
    }

    /// Refuses a bad nonce before the code is redeemed: a code works once, and its tokens would be lost.
    private func checkNonce(besideCode credential: PresentedCredential) throws(Rejection) {
        guard credential.hasAuthorizationCode, let nonce = credential.nonce else { return }
        _ = try nonces.spending(nonce, at: now())
    }

    private func spending(_ external: ExternalIdentity, _ client: Client) throws(Rejection) -> [Spending] {
        let now = now()
        switch external.nonce {
        case .posted(let nonce)?:
            let (digest, until) = try nonces.spending(nonce, at: now)
            return [
                Spending(kind: .credential, digest: external.replayDigest, end: nil),
                Spending(kind: .nonce, digest: digest, end: .itsOwn(until)),
            ]
        case .foreign(let nonce)?: try checkForeign(nonce, external, client, at: now)
        case nil: break
        }
        return [Spending(kind: .credential, digest: external.replayDigest, end: external.replayEnd)]
    }

    /// Refuses a token with a nonce that did not come along, unless the app takes those of its SDK.
    ///
    /// Such a nonce says nothing about this sign-in: only the ledger and a short age stop a stolen token. A nonce of ours
    /// must be posted, because its row in the ledger stands for its token too.
    private func checkForeign(
        _ nonce: String, _ external: ExternalIdentity, _ client: Client, at now: Date
    ) throws(Rejection) {
        guard client.takesForeignNonces, !nonces.isOurs(nonce) else { throw .credential(.nonceMissing) }
        guard let issued = external.issuedAt, now.timeIntervalSince(issued) <= Self.foreignNonceAge else {
            throw .credential(.tooOld)
        }
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
            logger.report(error, of: provider)
            if error.isCredentialsFault { await charge(price) } else { blocked.returnTurn(price) }
            throw Rejection(error)
        }
    }
}
