public import Foundation

/// An identity at a provider that opens the account.
public struct Identity: Codable, Sendable, Hashable, Identifiable {
    /// The identity's id at the gateway.
    public let id: String
    /// The provider's id.
    public let provider: String
    /// The user's id at the provider.
    public let subject: String
    /// The address that the provider named at the time of linking.
    public let email: String?
    /// Whether the provider had proved it.
    public let isEmailVerified: Bool
    /// When it was linked.
    public let linkedAt: Date

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, provider, subject, email
        case isEmailVerified = "email_verified"
        case linkedAt = "linked_at"
    }
}
