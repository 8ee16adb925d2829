public import Foundation

/// The account of a user.
public struct Account: Codable, Sendable, Hashable, Identifiable {
    /// The account's id; other systems may store it.
    public let id: String
    /// The name to show: text of the user, so escape it.
    public let displayName: String?
    /// The main address.
    public let email: String?
    /// Whether the address is proved.
    public let isEmailVerified: Bool
    /// Whether the account has no credential yet.
    public var isGuest: Bool { guest ?? false }
    let guest: Bool?
    /// When the account was created.
    public let createdAt: Date
    /// The pending deletion; never in the answer to a sign-in.
    public let deletion: Deletion?

    /// The same account, once it has a credential.
    var upgraded: Account {
        Account(
            id: id, displayName: displayName, email: email, isEmailVerified: isEmailVerified, guest: nil,
            createdAt: createdAt, deletion: deletion)
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, email, guest, deletion
        case displayName = "display_name"
        case isEmailVerified = "email_verified"
        case createdAt = "created_at"
    }
}

/// A pending deletion of an account.
public struct Deletion: Codable, Sendable, Hashable {
    /// When it was asked for.
    public let requestedAt: Date
    /// When everything is deleted.
    public let dueAt: Date

    enum CodingKeys: String, CodingKey, CaseIterable {
        case requestedAt = "requested_at"
        case dueAt = "due_at"
    }
}

/// The account with everything that the user can see of it.
public struct Profile: Codable, Sendable, Hashable, Identifiable {
    /// The account's id; other systems may store it.
    public let id: String
    /// The name to show: text of the user, so escape it.
    public let displayName: String?
    /// The main address.
    public let email: String?
    /// Whether the address is proved.
    public let isEmailVerified: Bool
    /// Whether the account has no credential yet.
    public var isGuest: Bool { guest ?? false }
    let guest: Bool?
    /// When the account was created.
    public let createdAt: Date
    /// The user name.
    public let userName: String?
    /// The main number, E.164.
    public let phone: String?
    /// Whether the number is proved.
    public let isPhoneVerified: Bool
    /// The attributes of this app.
    public let attributes: [String: JSONValue]
    /// The preferred first factor.
    public let firstFactor: FirstFactor?
    /// The pending deletion.
    public let deletion: Deletion?
    /// The pending removal of all second factors, as an operator asked: show it; ``Session/keepFactors()`` cancels it.
    public let factorRemoval: FactorRemoval?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, email, phone, attributes, guest, deletion
        case factorRemoval = "factor_removal"
        case displayName = "display_name"
        case isEmailVerified = "email_verified"
        case createdAt = "created_at"
        case userName = "user_name"
        case isPhoneVerified = "phone_verified"
        case firstFactor = "first_factor"
    }
}

/// A pending removal of all second factors.
public struct FactorRemoval: Codable, Sendable, Hashable {
    /// When they are removed.
    public let dueAt: Date

    enum CodingKeys: String, CodingKey, CaseIterable {
        case dueAt = "due_at"
    }
}

/// A first factor that a user can prefer.
public enum FirstFactor: String, Codable, Sendable, CaseIterable {
    case password
    case emailCode = "email_otp"
    case textMessageCode = "sms_otp"
    case passkey
}
