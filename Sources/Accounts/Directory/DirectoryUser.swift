package import Foundation
import JSON
package import Vocabulary

/// A user as back ends read it (`directory/directory_user.sql`).
package struct DirectoryUser: Sendable, Equatable {
    /// The state of the password.
    package enum Password: String, Sendable, CaseIterable {
        case usable
        /// For one sign-in, which asks for a new password.
        case temporary
        case resetRequired = "reset_required"
        /// The user signs in with providers only.
        case none
    }

    /// With the attributes of every client.
    package let profile: AccountProfile
    package let isActive: Bool
    /// Whether the user can sign in at the APIs of other vendors: active, and without a pending deletion.
    package let isEnabled: Bool
    package let password: Password
    package let changedAt: Date

    package var id: UUID { profile.summary.id }

    init?(_ entry: JSON) {
        guard let id = entry["id"]?.string.flatMap({ UUID(uuidString: $0) }),
            let password = entry["password"]?.string.flatMap(Password.init(rawValue:)),
            let created = entry["created_at"]?.double, let changed = entry["changed_at"]?.double
        else { return nil }
        profile = AccountProfile(
            summary: AccountSummary(
                id: id, displayName: entry["display_name"]?.string, email: entry["email"]?.string,
                emailVerified: entry["email_verified"]?.bool ?? false, isGuest: entry["guest"]?.bool ?? false,
                createdAt: Date(timeIntervalSince1970: created)),
            userName: entry["user_name"]?.string, phone: entry["phone"]?.string,
            phoneVerified: entry["phone_verified"]?.bool ?? false, attributes: entry["attributes"]?.object ?? [:],
            firstFactor: nil)
        (isActive, self.password) = (entry["status"] == "active", password)
        isEnabled = isActive && entry["leaving"] != true
        changedAt = Date(timeIntervalSince1970: changed)
    }
}
