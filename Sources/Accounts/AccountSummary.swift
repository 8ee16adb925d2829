package import Foundation

/// What a person's own app may know of the account.
package struct AccountSummary: Sendable, Equatable {
    package let id: UUID
    package let displayName: String?
    package let email: String?
    /// Whether the address is proved (`docs/architecture.md`, "Who somebody is").
    package let emailVerified: Bool
    package let createdAt: Date

    package init(id: UUID, displayName: String?, email: String?, emailVerified: Bool, createdAt: Date) {
        (self.id, self.displayName, self.email) = (id, displayName, email)
        (self.emailVerified, self.createdAt) = (emailVerified, createdAt)
    }
}

/// One linked identity as its owner sees it.
package struct LinkedIdentity: Sendable, Equatable {
    package let id: UUID
    package let provider: String
    package let subject: String
    package let email: String?
    package let emailVerified: Bool
    package let linkedAt: Date

    package init(id: UUID, provider: String, subject: String, email: String?, emailVerified: Bool, linkedAt: Date) {
        (self.id, self.provider, self.subject) = (id, provider, subject)
        (self.email, self.emailVerified, self.linkedAt) = (email, emailVerified, linkedAt)
    }
}
