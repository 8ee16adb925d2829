package import Foundation
package import JSON

/// The data of an account that the user's apps may read.
package struct AccountSummary: Sendable, Equatable {
    package let id: UUID
    package let displayName: String?
    package let email: String?
    /// Whether the address is proved (`docs/architecture.md`, "Identities").
    package let emailVerified: Bool
    /// Whether the account was made without a credential, and has none yet.
    package let isGuest: Bool
    package let createdAt: Date
    /// Nil without a pending deletion, and if it was not loaded: the answer of a sign-in omits it.
    package let deletion: AccountDeletion?

    package init(
        id: UUID, displayName: String?, email: String?, emailVerified: Bool, isGuest: Bool = false, createdAt: Date,
        deletion: AccountDeletion? = nil
    ) {
        (self.id, self.displayName, self.email) = (id, displayName, email)
        self.isGuest = isGuest
        (self.emailVerified, self.createdAt, self.deletion) = (emailVerified, createdAt, deletion)
    }
}

/// Everything about the account that the user's apps may read and change.
package struct AccountProfile: Sendable, Equatable {
    package let summary: AccountSummary
    package let userName: String?
    /// The main number, in E.164 form.
    package let phone: String?
    package let phoneVerified: Bool
    /// The attributes that clients store.
    package var attributes: JSONObject
    /// The provider id of the preferred first factor.
    package let firstFactor: String?
    /// When all second factors are removed, as an operator asked; nil without a pending removal.
    package let factorRemovalDue: Date?

    package init(
        summary: AccountSummary, userName: String?, phone: String?, phoneVerified: Bool, attributes: JSONObject,
        firstFactor: String?, factorRemovalDue: Date? = nil
    ) {
        self.factorRemovalDue = factorRemovalDue
        (self.summary, self.userName, self.phone, self.phoneVerified) = (summary, userName, phone, phoneVerified)
        (self.attributes, self.firstFactor) = (attributes, firstFactor)
    }
}

/// A change of the profile; omitted members stay unchanged.
package struct ProfileChange: Sendable, Equatable {
    /// In the form of `change_profile`: `display_name`, `attributes` (null removes one) and `first_factor`.
    package private(set) var json: JSONObject = [:]

    package init() {}

    package mutating func set(displayName: String?) { json["display_name"] = displayName.map(JSON.string) ?? .null }
    package mutating func set(attributes: JSONObject) { json["attributes"] = .object(attributes) }
    package mutating func set(firstFactor: String?) { json["first_factor"] = firstFactor.map(JSON.string) ?? .null }
}

/// One linked identity as its owner sees it.
package struct LinkedIdentity: Sendable, Equatable {
    package let id: UUID
    package let provider: String
    package let subject: String
    package let email: String?
    package let emailVerified: Bool
    package let linkedAt: Date
    /// Whether the linking policy joined it to an existing account.
    package let isLinkedByPolicy: Bool

    package init(
        id: UUID, provider: String, subject: String, email: String?, emailVerified: Bool, linkedAt: Date,
        isLinkedByPolicy: Bool = false
    ) {
        (self.id, self.provider, self.subject) = (id, provider, subject)
        (self.email, self.emailVerified, self.linkedAt) = (email, emailVerified, linkedAt)
        self.isLinkedByPolicy = isLinkedByPolicy
    }
}
