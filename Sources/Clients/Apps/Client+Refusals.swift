package import Vocabulary

extension Client {
    package func allows(provider: String) -> Bool { providers.contains(provider) }

    /// - Throws: `providerNotAllowed` if the client does not offer the sign-in method.
    package func require(provider: String) throws(Rejection) {
        guard allows(provider: provider) else { throw refusal(of: provider) }
    }

    /// The refusal of a redirect address, with those that the client has registered.
    package func refusal(ofAddress address: String?) -> Rejection {
        .redirectNotAllowed(address.map(SentText.init), registered: redirectURIs.map(\.text))
    }

    /// The refusal of a sign-in method, with those that the client offers.
    package func refusal(of provider: String) -> Rejection {
        .providerNotAllowed(SentText(provider), offered: providers)
    }
}
