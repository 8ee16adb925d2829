import Sessions

extension Client {
    /// Where a form of our pages may lead that ends at one of the app's addresses: there, and on to whatever else the app
    /// has registered.
    ///
    /// Browsers hold every redirect that follows a form to the page's policy, those of the app's own servers too.
    func formTargets(endingAt address: RedirectURI) -> [String] {
        var targets = [address.policySource]
        let others = redirectURIs.compactMap { RedirectURI($0) } + origins.compactMap { RedirectURI($0 + "/") }
        for source in others.map(\.policySource) where source != Self.anyHost && !targets.contains(source) {
            targets.append(source)
        }
        return targets
    }

    /// What an IPv6 address has to be called in a policy: too much for an address that was not asked for.
    private static let anyHost = "http:"
}
