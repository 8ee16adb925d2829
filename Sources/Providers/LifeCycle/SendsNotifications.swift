package import FoundationEssentials
package import JSON

/// A provider that calls us when something about a person changes there.
package protocol SendsNotifications: IdentityProvider {
    /// Checks what was posted and says what it tells.
    ///
    /// Nothing is remembered: that a notification takes effect once is the caller's.
    ///
    /// - Parameter posted: the body of the request, believed in nothing.
    /// - Throws: ``ProviderError``: `invalidRequest` names a member of the body.
    func notification(_ posted: JSONObject, at now: Date) async throws(ProviderError) -> ProviderNotification
}

/// What a provider tells about people that it knows, verified.
package struct ProviderNotification: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// The person lets no mail through the relay address any more.
        case emailDisabled = "email_disabled"
        case emailEnabled = "email_enabled"
        /// The person disconnected the app; they may come back.
        case consentRevoked = "consent_revoked"
        /// The person has no account there any more.
        case accountDeleted = "account_deleted"
        /// Something that this version doesn't know.
        case other
    }

    package struct Event: Sendable, Equatable {
        package let kind: Kind
        package let subject: String
        package let at: Date
        /// The relay address that an event about mail is about.
        package let email: String?
    }

    /// The provider's own name for it: the same one never takes effect twice.
    package let id: String
    package let realm: String
    package let events: [Event]
}
