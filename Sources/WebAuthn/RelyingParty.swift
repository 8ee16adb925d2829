package import Cryptography

/// The party that credentials are made for: what the configuration says of it, checked.
package struct RelyingParty: Sendable {
    /// Whether pages of other origins may hold ours in a frame while a credential is made or used.
    package enum CrossOrigin: Equatable, Sendable {
        case refused
        /// A page that embeds ours must be of one of these origins, where the browser names it; not all do.
        case accepted(topOrigins: [String])
    }

    /// What was asked of authenticators about their make.
    package enum Attestation: Sendable {
        /// Nothing.
        ///
        /// What comes unasked is checked where it can be. A statement in a format that we cannot check is refused, unless
        /// `acceptsUnknownFormats`; then it counts for nothing.
        case none(acceptsUnknownFormats: Bool)
        /// The statement as it is; a format that we cannot check is refused.
        ///
        /// The authenticator is known when its certificates lead to one of the roots. Where that is required, others are
        /// refused, those without any statement included.
        case direct(roots: [Certificate], requiresKnownRoot: Bool)

        /// What nearly everybody wants.
        package static let none = Attestation.none(acceptsUnknownFormats: false)
    }

    /// The domain that credentials are bound to.
    package let id: String
    /// What authenticators show people.
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

/// What is wrong with the configuration of a relying party.
package enum RelyingPartyProblem: Error, Equatable, Sendable {
    /// Not a domain in lower case and ASCII.
    case idMalformed
    case nameMissing
    case originsMissing
    /// Not an origin as browsers and apps write it, which no response could have.
    case originMalformed(String)
    /// A known root is required, and there is none.
    case rootsMissing
}
