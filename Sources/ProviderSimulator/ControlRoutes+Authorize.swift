import FoundationEssentials
import HTTPTypes
import JSON

extension ControlRoutes {
    /// `POST /control/authorize`: a complete consent page without a browser.
    ///
    /// It returns the fields for the redirect address, and throws the provider's `Refusal` if there are none.
    func authorize(_ members: ControlMembers) throws -> Answer {
        guard let url = try members.text("url") else { throw ControlError("url is an authorization request") }
        let target = try target(of: url)
        guard let name = target.parts.first.flatMap(ProviderName.init(rawValue:)),
            let provider = state.providers[name] as? any AuthorizingProvider,
            let route = provider.route(for: Array(target.parts.dropFirst())), route.endpoint == .authorize
        else { throw ControlError("url leads to no authorization endpoint") }
        let consent = try Consent(members, choices: provider.rules.choices, at: name)
        do {
            let request = try provider.authorization(target.query, at: route)
            return .secret(try provider.decide(request, consent, at: Date()).report)
        } catch let refusal as Refusal {
            guard case .redirect(let answer) = refusal.form else {
                return .control(refusal.error, refusal.reason, status: refusal.status)
            }
            return .secret(answer.report)
        }
    }

    /// `POST /control/redirect-uris`: registers an address, and its client if it is new.
    func registerRedirect(_ members: ControlMembers) throws -> Answer {
        try members.expectOnly(["provider", "client_id", "redirect_uri"])
        guard let provider = try provider(members.provider()) as? any AuthorizingProvider else {
            throw ControlError("this provider sends nobody anywhere")
        }
        guard let address = try members.text("redirect_uri"), Self.isAddress(address) else {
            throw ControlError("redirect_uri is an http or https URL without a fragment")
        }
        let client = try members.text("client_id") ?? provider.name.kind?.webClient ?? ""
        provider.register(client: client)
        provider.redirects.add(address, for: client)
        return Answer(status: .noContent, body: .none)
    }

    /// Path and query of an address with any host.
    private func target(of url: String) throws(ControlError) -> Target {
        guard !url.contains("#") else { throw ControlError("url has no fragment") }
        guard !url.hasPrefix("/") else { return Target(url) }
        guard let scheme = url.firstRange(of: "://"), let path = url[scheme.upperBound...].firstIndex(of: "/") else {
            throw ControlError("url is a whole URL, or a path with its query")
        }
        return Target(String(url[path...]))
    }

    private static func isAddress(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
            && ["http://", "https://"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
    }
}
