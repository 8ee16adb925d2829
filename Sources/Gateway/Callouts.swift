import Accounts
import GatewaySettings
import Logging
import Outbound
import Sessions
import SignIn
import Vocabulary

/// The operator's own services: callouts during a sign-in, and webhook endpoints.
struct Callouts: Sendable {
    let claims: ClaimsCallout
    /// Nil where there are no custom challenges.
    let challenge: ChallengeWebhook?
    /// Nil where no range service is configured.
    let breaches: BreachedPasswords?
    /// Nil where no bot check service is configured.
    let botChecks: BotChecks?
    /// For the documents and the key sets of apps.
    let documents: any HTTPTransport
    /// A client of its own: slow endpoints do not delay the providers' requests.
    let events: any HTTPTransport

    init(_ configuration: GatewayConfiguration, _ outbound: HTTPClient, _ logger: Logger) {
        func traced(_ service: String, _ disclosure: TracedTransport.Disclosure) -> TracedTransport {
            TracedTransport(outbound, service: service, disclosing: disclosure)
        }
        claims = ClaimsCallout(transport: traced("claims", .idsAndState))
        challenge = configuration.challenges.map {
            ChallengeWebhook(
                url: $0.url, secret: $0.secret,
                transport: GuardedTransport(traced("custom challenge", .idsAndState)))
        }
        breaches = configuration.passwords.breachURL.map {
            BreachedPasswords(url: $0, transport: traced("breached passwords", .nothing))
        }
        botChecks = configuration.botChecks.map {
            BotChecks(
                url: $0.url ?? $0.widget.kind.verification, secret: $0.secret,
                transport: GuardedTransport(traced("bot check", .nothing)), logger: logger)
        }
        // An app's address is a stranger's.
        documents = traced("documents of apps", .nothing)
        events = HTTPClient(
            configuration: OutboundConfiguration(insecureAllowLocal: configuration.providers.allowsLocalProviders))
    }
}
