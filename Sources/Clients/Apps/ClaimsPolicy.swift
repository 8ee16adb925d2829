package import JSON

/// The extra claims of a client's access tokens, and their sources.
package struct ClaimsPolicy: Sendable, Equatable {
    /// A service that speaks the contract of Entra's `onTokenIssuanceStart`.
    package struct Service: Sendable, Equatable {
        package let url: String
        /// `aud` of the token that authenticates the gateway to the service.
        package let audience: String
        /// `azp` and `appid` of that token.
        package let application: String
        /// The claims of its answer that reach a token; all others are dropped.
        package let allowed: [String]

        package init(url: String, audience: String, application: String, allowed: [String]) {
            (self.url, self.audience, self.application, self.allowed) = (url, audience, application, allowed)
        }
    }

    /// An account attribute and the claim that carries it.
    package struct Mapping: Sendable, Equatable {
        package let attribute: String
        package let claim: String

        package init(attribute: String, claim: String) {
            (self.attribute, self.claim) = (attribute, claim)
        }

        /// Parses the configuration form: `attribute:claim`, or one name for both.
        package init?(_ text: String) {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let attribute = parts.first, let claim = parts.last, !attribute.isEmpty,
                attribute.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }),
                ClaimName.isAllowed(claim, from: attribute)
            else { return nil }
            self.init(attribute: attribute, claim: claim)
        }
    }

    /// Nil if all claims come from attributes.
    package let service: Service?
    /// Whether sign-ins fail while the service gives no answer.
    package let isClosed: Bool
    package let attributes: [Mapping]
    /// Seconds after which a session's claims are requested again; nil to request them once.
    package let refreshSeconds: Int?

    package init(service: Service?, isClosed: Bool, attributes: [Mapping], refreshSeconds: Int?) {
        (self.service, self.isClosed) = (service, isClosed)
        (self.attributes, self.refreshSeconds) = (attributes, refreshSeconds)
    }

    /// Entra's own id, which services for Entra expect as `azp`.
    package static let entraApplication = "99045fe1-7639-4a75-9d4a-577b6ca3810f"
}

extension [ClaimsPolicy.Mapping] {
    /// Maps attributes to claims, in the form that the database uses.
    package var json: JSON {
        .object(JSONObject(map { JSONObject.Member(name: $0.attribute, value: .string($0.claim)) }))
    }

    init(_ json: JSON) {
        self = (json.object?.members ?? []).compactMap { member in
            member.value.string.map { ClaimsPolicy.Mapping(attribute: member.name, claim: $0) }
        }
    }
}
