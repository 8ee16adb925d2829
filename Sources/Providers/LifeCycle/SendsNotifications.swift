package import FoundationEssentials
package import JSON

/// A provider that notifies us of changes of a user.
package protocol SendsNotifications: IdentityProvider {
    /// Checks a posted notification and returns its content.
    ///
    /// The adapter stores nothing: the caller ensures that a notification takes effect once.
    ///
    /// - Parameter posted: the untrusted body of the request.
    /// - Throws: ``ProviderError``: `invalidRequest` names a member of the body.
    func notification(_ posted: JSONObject, at now: Date) async throws(ProviderError) -> ProviderNotification
}

/// A provider's verified notification about its users.
package struct ProviderNotification: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// The user stopped mail through the relay address.
        case emailDisabled = "email_disabled"
        case emailEnabled = "email_enabled"
        /// The user disconnected the app and may return.
        case consentRevoked = "consent_revoked"
        /// The user deleted the account at the provider.
        case accountDeleted = "account_deleted"
        /// An event that this version does not know.
        case other
    }

    package struct Event: Sendable, Equatable {
        package let kind: Kind
        package let subject: String
        package let at: Date
        /// The relay address of an event about mail.
        package let email: String?
    }

    /// The provider's own id of the notification: the same id never takes effect twice.
    package let id: String
    package let realm: String
    package let events: [Event]
}
