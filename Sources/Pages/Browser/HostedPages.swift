package import Clients
package import HTTPServer
package import Sessions
package import SignIn

/// Hosted pages: the parts that all their doors share.
///
/// They never decide whether a user may sign in. A door decodes, calls one service, and shows a page or redirects.
package protocol HostedPages: Sendable {
    var site: Site { get }
}

/// The services and settings of every page.
package final class Site: HostedPages {
    package let log: CallLog
    let flows: SignInFlows
    let web: WebSignInService
    let sessions: SessionService
    let handover: HandoverService
    package let directory: SessionDirectory
    package let clients: ClientRegistry
    package let forms: FormTokens
    let tickets: WebTickets
    let sessionCookies: SessionCookies
    package let renderer: PageRenderer
    package let settings: SiteSettings
    /// The display name of a provider, by its id.
    let providerName: @Sendable (String) -> String

    package init(
        log: CallLog, flows: SignInFlows, web: WebSignInService, sessions: SessionService,
        handover: HandoverService, directory: SessionDirectory, clients: ClientRegistry, forms: FormTokens,
        tickets: WebTickets,
        sessionCookies: SessionCookies, renderer: PageRenderer, settings: SiteSettings,
        providerName: @escaping @Sendable (String) -> String
    ) {
        (self.log, self.flows, self.web, self.sessions) = (log, flows, web, sessions)
        self.handover = handover
        (self.directory, self.clients, self.forms, self.tickets) = (directory, clients, forms, tickets)
        (self.sessionCookies, self.renderer, self.settings) = (sessionCookies, renderer, settings)
        self.providerName = providerName
    }

    package var site: Site { self }
}

/// The configuration of the pages.
package struct SiteSettings: Sendable {
    /// The client of a call without `client_id`.
    let defaultClient: String?
    let minimumPasswordLength: Int
    /// Whether text messages can be sent.
    let sendsTexts: Bool
    /// Scheme, host and port of our public address.
    let ownOrigin: String
    /// Whether browsers must reach us by https: everywhere but on `http://localhost`.
    package let demandsSecureTransport: Bool
    /// Whether a refusal shows what the app's developer needs: what was sent, and what is registered.
    let showsDetails: Bool

    package init(
        defaultClient: String?, minimumPasswordLength: Int, sendsTexts: Bool, ownOrigin: String,
        demandsSecureTransport: Bool, showsDetails: Bool
    ) {
        (self.defaultClient, self.minimumPasswordLength) = (defaultClient, minimumPasswordLength)
        (self.sendsTexts, self.ownOrigin) = (sendsTexts, ownOrigin)
        (self.demandsSecureTransport, self.showsDetails) = (demandsSecureTransport, showsDetails)
    }
}

extension HostedPages {
    package var log: CallLog { site.log }
    package var flows: SignInFlows { site.flows }
    package var web: WebSignInService { site.web }
    package var sessions: SessionService { site.sessions }
    package var handover: HandoverService { site.handover }
    package var directory: SessionDirectory { site.directory }
    package var clients: ClientRegistry { site.clients }
    var forms: FormTokens { site.forms }
    package var tickets: WebTickets { site.tickets }
    package var sessionCookies: SessionCookies { site.sessionCookies }
    package var renderer: PageRenderer { site.renderer }
    package var providerName: @Sendable (String) -> String { site.providerName }
    package var defaultClient: String? { site.settings.defaultClient }
    package var minimumPasswordLength: Int { site.settings.minimumPasswordLength }
    package var sendsTexts: Bool { site.settings.sendsTexts }
    package var ownOrigin: String { site.settings.ownOrigin }
}
