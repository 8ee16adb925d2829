public import Foundation

/// An address or number of the account.
public struct AccountAddress: Codable, Sendable, Hashable {
    /// Address or number.
    public let kind: Kind
    /// The address or number itself.
    public let address: String
    /// Whether it is proved.
    public let isVerified: Bool
    /// Whether it is the main one of the account.
    public let isMain: Bool
    /// Whether it forwards mail, such as Apple's relay: no name to sign in with.
    public let isRelay: Bool
    /// When it was added.
    public let addedAt: Date
    /// Since when messages to it come back.
    public let undeliverableSince: Date?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case address
        case kind = "type"
        case isVerified = "verified"
        case isMain = "main"
        case isRelay = "relay"
        case addedAt = "added_at"
        case undeliverableSince = "undeliverable_since"
    }

    /// Address or number.
    public enum Kind: String, Codable, Sendable {
        case email, phone
    }
}
