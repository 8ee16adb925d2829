import FoundationEssentials
import JSON

/// A simulated provider of OAuth 2.0.
///
/// Each of its codes leads to the data of one user.
protocol OAuthSimulator: AuthorizingProvider {
    associatedtype Access: Sendable

    var desk: OAuthDesk<Access> { get }

    /// The authorization endpoint's refusal of an unknown client.
    var unknownClient: Refusal { get }

    /// Changes the order by the user's choices on the consent page.
    func apply(_ consent: Consent, of request: AuthorizationRequest, to order: inout MintOrder)

    /// The data that an order's code opens.
    func access(_ order: MintOrder, for person: Person) -> Access
}

extension OAuthSimulator {
    var redirects: RedirectAddresses { desk.redirects }

    func admit(_ client: String, at route: Route) throws(Refusal) {
        guard desk.clients.contains(client) else { throw unknownClient }
    }

    func register(client: String) { desk.clients.register(client) }

    func apply(_ consent: Consent, of request: AuthorizationRequest, to order: inout MintOrder) {}

    func grant(_ request: AuthorizationRequest, by consent: Consent, at now: Date) throws -> [FormField] {
        var order = MintOrder(request, for: consent.person, at: name, now: now)
        apply(consent, of: request, to: &order)
        let credential = desk.add(order, opening: access(order, for: consent.person))
        return [FormField("code", credential["authorization_code"]?.string ?? "")]
    }

    /// Plain OAuth 2.0 has no keys.
    func rotate(keepOld: Bool) throws {
        throw ControlError("\(name.rawValue) has no keys")
    }

    func reset() { desk.reset() }
}
