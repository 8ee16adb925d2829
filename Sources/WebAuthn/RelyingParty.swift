package import Cryptography

/// The relying party of credentials: the validated configuration.
package struct RelyingParty: Sendable {
    /// Whether pages of other origins may embed ours while a credential is created or used.
    package enum CrossOrigin: Equatable, Sendable {
        case refused
        /// A page that embeds ours must have one of these origins, if the browser states it; not all do.
        case accepted(topOrigins: [String])
    }

    /// The attestation policy.
    package enum Attestation: Sendable {
        /// Not requested.
        ///
        /// Unrequested statements are checked if possible. A statement in an unknown format is refused, unless
        /// `acceptsUnknownFormats`; then it has no effect.
        case none(acceptsUnknownFormats: Bool)
        /// Requested in original form; an unknown format is refused.
        ///
        /// The authenticator is known if its certificates lead to one of the roots. If that is required, all others are
        /// refused, including those without a statement.
        case direct(roots: [Certificate], requiresKnownRoot: Bool)

        /// The usual choice.
        package static let none = Attestation.none(acceptsUnknownFormats: false)
    }

    /// The domain of the credentials.
    package let id: String
    /// The name that authenticators show.
    package let name: String
    /// Exact texts: `https://…` of websites and iOS apps, `android:apk-key-hash:…` of Android apps.
    package let origins: [String]
    package let crossOrigin: CrossOrigin
    package let userVerification: UserVerification
    package let attestation: Attestation

    package init(
        id: String, name: String, origins: [String], crossOrigin: CrossOrigin = .refused,
        userVerification: UserVerification = .required, attestation: Attestation = .none
    ) throws(RelyingPartyProblem) {
        guard Domain.isValid(id) else { throw .idMalformed }
        guard !name.isEmpty else { throw .nameMissing }
        guard !origins.isEmpty else { throw .originsMissing }
        if let origin = origins.first(where: { !Origin.isValid($0) }) { throw .originMalformed(origin) }
        if case .accepted(let topOrigins) = crossOrigin, let origin = topOrigins.first(where: { !Origin.isWeb($0) }) {
            throw .originMalformed(origin)
        }
        if case .direct(let roots, requiresKnownRoot: true) = attestation, roots.isEmpty { throw .rootsMissing }
        self.id = id
        self.name = name
        self.origins = origins
        self.crossOrigin = crossOrigin
        self.userVerification = userVerification
        self.attestation = attestation
    }
}

/// The configuration errors of a relying party.
package enum RelyingPartyProblem: Error, Equatable, Sendable {
    /// Not a domain in lower case and ASCII.
    case idMalformed
    case nameMissing
    case originsMissing
    /// Not in the form of browsers and apps, so no response could have it.
    case originMalformed(String)
    /// A known root is required, but none is configured.
    case rootsMissing
}
