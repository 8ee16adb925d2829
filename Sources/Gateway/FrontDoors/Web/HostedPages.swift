import Accounts
import Sessions

/// Hosted pages: the parts that all their doors share.
///
/// They never decide whether a user may sign in. A door decodes, calls one service, and shows a page or redirects.
protocol HostedPages: Sendable {
    var site: Site { get }
}

/// The services and settings of every page.
final class Site: HostedPages {
    let log: CallLog
    let flows: SignInFlows
    let web: WebSignInService
    let sessions: SessionService
    let directory: SessionDirectory
    let clients: ClientRegistry
    let forms: FormTokens
    let tickets: WebTickets
    let sessionCookies: SessionCookies
    let renderer: PageRenderer
    let settings: SiteSettings
    /// The display name of a provider, by its id.
    let providerName: @Sendable (String) -> String

    init(
        log: CallLog, flows: SignInFlows, web: WebSignInService, sessions: SessionService,
        directory: SessionDirectory, clients: ClientRegistry, forms: FormTokens, tickets: WebTickets,
        sessionCookies: SessionCookies, renderer: PageRenderer, settings: SiteSettings,
        providerName: @escaping @Sendable (String) -> String
    ) {
        (self.log, self.flows, self.web, self.sessions) = (log, flows, web, sessions)
        (self.directory, self.clients, self.forms, self.tickets) = (directory, clients, forms, tickets)
        (self.sessionCookies, self.renderer, self.settings) = (sessionCookies, renderer, settings)
        self.providerName = providerName
    }

    var site: Site { self }
}

/// The configuration of the pages.
struct SiteSettings: Sendable {
    /// The client of a call without `client_id`.
    let defaultClient: String?
    let minimumPasswordLength: Int
    /// Whether text messages can be sent.
    let sendsTexts: Bool
    /// Scheme, host and port of our public address.
    let ownOrigin: String
    /// Whether browsers must reach us by https: everywhere but on `http://localhost`.
    let demandsSecureTransport: Bool
}

extension HostedPages {
    var log: CallLog { site.log }
    var flows: SignInFlows { site.flows }
    var web: WebSignInService { site.web }
    var sessions: SessionService { site.sessions }
    var directory: SessionDirectory { site.directory }
    var clients: ClientRegistry { site.clients }
    var forms: FormTokens { site.forms }
    var tickets: WebTickets { site.tickets }
    var sessionCookies: SessionCookies { site.sessionCookies }
    var renderer: PageRenderer { site.renderer }
    var providerName: @Sendable (String) -> String { site.providerName }
    var defaultClient: String? { site.settings.defaultClient }
    var minimumPasswordLength: Int { site.settings.minimumPasswordLength }
    var sendsTexts: Bool { site.settings.sendsTexts }
    var ownOrigin: String { site.settings.ownOrigin }
}
