package import Clients

extension Client {
    /// The targets of our forms that end at one of the app's addresses: that address and the app's other registered
    /// ones.
    ///
    /// Browsers apply the page's policy to every redirect after a form, including redirects by the app's own servers.
    package func formTargets(endingAt address: RedirectURI) -> [String] {
        var targets = [address.policySource]
        for source in addresses.map(\.policySource) where source != Self.anyHost && !targets.contains(source) {
            targets.append(source)
        }
        return targets
    }

    /// The targets of our forms that end at an unknown address of the app: the stored request has that address.
    package var formTargets: [String] {
        addresses.reduce(into: []) { targets, address in
            let source = address.widePolicySource
            if !targets.contains(source) { targets.append(source) }
        }
    }

    private var addresses: [RedirectURI] { redirectURIs + origins.compactMap { RedirectURI($0 + "/") } }

    /// The policy's source for an IPv6 address, which policies cannot name.
    ///
    /// It is too wide for an address that the request did not name.
    private static let anyHost = "http:"
}
