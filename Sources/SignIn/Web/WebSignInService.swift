package import Clients
package import Cryptography
package import Foundation
package import Logging
package import Providers
package import Vocabulary

/// Signs users in through a provider's pages: redirects the browser there, and verifies the answer.
package final class WebSignInService: Sendable {
    /// The request for a redirect.
    package struct Order: Sendable {
        let provider: String
        let client: Client
        let target: LoginTarget
        let intent: WebFlow.Intent
        let linkFlow: String?
        let locales: String?
        let isReauthentication: Bool

        /// - Parameter isReauthentication: whether the provider must ask for the credential again.
        package init(
            provider: String, client: Client, target: LoginTarget, intent: WebFlow.Intent = .signIn,
            linkFlow: String? = nil, locales: String? = nil, isReauthentication: Bool = false
        ) {
            (self.provider, self.client, self.target) = (provider, client, target)
            (self.intent, self.linkFlow, self.locales) = (intent, linkFlow, locales)
            self.isReauthentication = isReauthentication
        }
    }

    /// The provider's address, and the cookie of the flow.
    package struct Redirection: Sendable, Equatable {
        package let address: String
        package let cookie: WebFlows.Cookie
    }

    /// A provider with redirect sign-in.
    package struct Choice: Sendable, Equatable {
        package let id: String
        package let name: String
        /// Whether it answers by a cross-site form post.
        package let answersByForm: Bool
    }

    let clients: ClientRegistry
    let signIn: SignInService
    let accounts: AccountService
    package let flows: WebFlows
    /// Our public address, without a slash at its end.
    let publicURL: String
    let logger: Logger
    let now: @Sendable () -> Date
    let inFlight = FlowsInFlight()
    /// The providers with redirect sign-in, in the order of the registry.
    private let choices: [Choice]
    private let adapters: [String: any RedirectSignIn]

    package init(
        providers: ProviderRegistry, clients: ClientRegistry, signIn: SignInService, accounts: AccountService,
        keys: MasterKeys, publicURL: String, logger: Logger, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        (self.clients, self.signIn, self.accounts) = (clients, signIn, accounts)
        (self.publicURL, self.logger, self.now) = (publicURL, logger, now)
        flows = WebFlows(keys: keys)
        let redirecting = providers.all.compactMap { $0 as? any RedirectSignIn }.filter(\.canRedirect)
        adapters = redirecting.reduce(into: [:]) { $0[$1.id.rawValue] = $1 }
        choices = redirecting.map {
            Choice(id: $0.id.rawValue, name: $0.displayName, answersByForm: $0.redirectAnswer == .formPost)
        }
    }

    /// The providers with redirect sign-in that a client allows, in the client's order.
    package func choices(for client: Client) -> [Choice] {
        // The closures capture this list alone: they would copy the whole service otherwise.
        let choices = choices
        return client.providers.compactMap { id in choices.first { $0.id == id } }
    }

    /// The provider with this id; nil without redirect sign-in.
    package func choice(_ id: String) -> Choice? {
        choices.first { $0.id == id }
    }

    /// Whether a text has the form of a provider's id.
    package static func mayBeProvider(_ id: String) -> Bool { ProviderID(rawValue: id) != nil }

    package func begin(_ order: Order) async throws(Rejection) -> Redirection {
        guard let adapter = adapter(order.provider) else {
            throw .providerUnknown(SentText(order.provider), offered: order.client.providers)
        }
        try order.client.require(provider: order.provider)
        let expires = now().addingTimeInterval(TimeInterval(WebFlow.life))
        let begun = flows.begin { id, binding in
            WebFlow(
                id: id, binding: binding, expires: expires, provider: order.provider, client: order.client.id,
                intent: order.intent, target: order.target.asked, linkFlow: order.linkFlow, locales: order.locales,
                isReauthentication: order.isReauthentication)
        }
        do throws(ProviderError) {
            let address = try await adapter.authorizationURL(
                RedirectStart(
                    redirectURI: callback(of: order.provider), state: begun.state, nonce: begun.secrets.nonce,
                    codeVerifier: begun.secrets.codeVerifier,
                    locales: order.locales?.words ?? [],
                    isReauthentication: order.isReauthentication))
            return Redirection(address: address, cookie: begun.cookie)
        } catch {
            logger.report(error, of: order.provider)
            throw Rejection(error)
        }
    }

    func adapter(_ id: String) -> (any RedirectSignIn)? { adapters[id] }

    /// The callback address that is registered at the provider: each provider has its own (RFC 9207 §4.4).
    func callback(of provider: String) -> String { "\(publicURL)/login/\(provider)/callback" }
}
