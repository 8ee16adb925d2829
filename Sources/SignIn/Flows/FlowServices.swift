package import Accounts
package import Clients
package import Cryptography
package import Foundation
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
    let temporaryPasswordLife: TimeInterval
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
            providers: providers, codeKey: keys.derived("one-time code"), serviceName: serviceName,
            logger: logger, now: now)
    }

    /// The sign-in methods that need no provider.
    var signInMethods: [String] {
        FirstFactor.offered(sendsTexts: outbox.reaches(.sms), hasPasskeys: tools.relyingParty != nil)
    }

    /// The client of a session.
    func client(of session: SessionSnapshot) throws(Rejection) -> Client {
        guard let client = clients.client(session.facts.clientID) else { throw .clientUnknown() }
        return client
    }
}
