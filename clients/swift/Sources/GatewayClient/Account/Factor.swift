public import Foundation

/// The second factors and passkeys of an account.
public struct Factors: Codable, Sendable, Hashable {
    /// Whether each sign-in asks for a second factor.
    public let hasSecondFactor: Bool
    /// The factors, oldest first.
    public let factors: [Factor]
    /// The number of unused recovery codes.
    public let recoveryCodesLeft: Int
    /// When all factors are removed, as an operator asked; `keepFactors()` stops it.
    public let removalDueAt: Date?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case factors
        case hasSecondFactor = "second_factor"
        case recoveryCodesLeft = "recovery_codes_left"
        case removalDueAt = "removal_due_at"
    }
}

/// A second factor or a passkey.
public struct Factor: Codable, Sendable, Hashable, Identifiable {
    /// The factor's id.
    public let id: String
    /// The kind of factor.
    public let kind: FactorOption.Kind
    /// The user's name for it: text of the user, so escape it.
    public let name: String?
    /// The destination of codes.
    public let address: String?
    /// Of a passkey: whether its maker keeps a copy.
    public let isBackedUp: Bool?
    /// Whether it is asked first.
    public let isPreferred: Bool
    /// When it was added.
    public let addedAt: Date
    /// When it was last used.
    public let lastUsedAt: Date?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, name, address
        case kind = "type"
        case isBackedUp = "backed_up"
        case isPreferred = "preferred"
        case addedAt = "added_at"
        case lastUsedAt = "last_used_at"
    }
}
