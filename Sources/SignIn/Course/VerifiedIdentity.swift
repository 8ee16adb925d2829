import Foundation
import Postgres
import Providers
import Sessions
import Vocabulary

/// The part of a verified provider identity that is stored.
struct VerifiedIdentity: Sendable, Equatable {
    let provider: String
    let realm: String
    let subject: String
    let email: String?
    let emailVerified: Bool
    let emailIsRelay: Bool
    let displayName: String?
    /// The facts that fill missing attributes of the account.
    let attributes: [String: String]
    /// Whether the provider stated when the user signed in.
    let isDated: Bool
    /// The identity under the app's former team.
    var former: FormerIdentity?

    init(_ external: ExternalIdentity) {
        (provider, realm, subject) = (external.provider.rawValue, external.realm, external.subject)
        email = external.email?.address
        emailVerified = external.email?.authority == .verifiedByAuthority
        emailIsRelay = external.email?.isRelay ?? false
        displayName = external.displayName
        attributes = external.attributes
        isDated = external.authenticatedAt != nil
        former = external.former
    }

    /// The address; nil without one.
    var address: EmailAddress? { email.flatMap(EmailAddress.init) }

    /// The proof of a sign-in with this identity.
    var proof: Proof { Proof(.provider, address: address?.key, isUndated: !isDated) }

    /// The address for linking; relay addresses never link accounts.
    var linkingKey: String? { emailIsRelay ? nil : address?.key }
}

extension SQL.StringInterpolation {
    /// Binds the composite value `identity_facts`.
    mutating func appendInterpolation(_ identity: VerifiedIdentity) {
        appendLiteral("row(")
        appendInterpolation(identity.provider)
        appendLiteral(", ")
        appendInterpolation(identity.realm)
        appendLiteral(", ")
        appendInterpolation(identity.subject)
        appendLiteral(", ")
        appendInterpolation(identity.email)
        appendLiteral(", ")
        appendInterpolation(identity.emailVerified)
        appendLiteral(", ")
        appendInterpolation(identity.emailIsRelay)
        appendLiteral(", ")
        appendInterpolation(identity.displayName)
        appendLiteral(")::identity_facts")
    }
}
