public import Foundation

/// A device that skips the second factor.
public struct RememberedDevice: Codable, Sendable, Hashable, Identifiable {
    /// The device's id.
    public let id: String
    /// Its name: text of the user, so escape it.
    public let name: String?
    /// When it was remembered.
    public let addedAt: Date
    /// When it last skipped the second factor.
    public let lastUsedAt: Date?
    /// When it is asked again.
    public let expiresAt: Date

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, name
        case addedAt = "added_at"
        case lastUsedAt = "last_used_at"
        case expiresAt = "expires_at"
    }
}

/// An open session of the account on any device.
public struct OpenSession: Codable, Sendable, Hashable, Identifiable {
    /// The session's id.
    public let id: String
    /// Whether it is this session.
    public let isCurrent: Bool
    /// The app.
    public let clientID: String
    /// The way of signing in: a provider's id, `password`, `email_otp`, `sms_otp` or `passkey`.
    public let provider: String
    /// The protocol of its tokens: `gateway`, or another vendor's, such as `cognito` or `native_auth`.
    public let dialect: String
    /// The name of the device: text of the user, so escape it.
    public let deviceName: String?
    /// The network address of the sign-in.
    public let address: String?
    /// The program that signed in: untrusted text.
    public let userAgent: String?
    /// When it began.
    public let createdAt: Date
    /// The last refresh.
    public let lastUsedAt: Date
    /// The end if it is not refreshed.
    public let idleExpiresAt: Date
    /// The latest end.
    public let expiresAt: Date

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, provider, dialect, address
        case isCurrent = "current"
        case clientID = "client_id"
        case deviceName = "device_name"
        case userAgent = "user_agent"
        case createdAt = "created_at"
        case lastUsedAt = "last_used_at"
        case idleExpiresAt = "idle_expires_at"
        case expiresAt = "expires_at"
    }
}

/// The session as the gateway sees it.
public struct CurrentSession: Codable, Sendable, Hashable, Identifiable {
    /// The session's id.
    public let id: String
    /// The app.
    public let clientID: String
    /// The way of signing in: a provider's id, `password`, `email_otp`, `sms_otp` or `passkey`.
    public let provider: String
    /// The time of the last proof.
    public let authTime: Date
    /// The proofs, as RFC 8176 and `docs/factors.md` name them.
    public let methods: [String]
    /// `2` after two different factors, else `1`.
    public let level: String
    /// Additional claims of the access tokens.
    public let claims: [String: JSONValue]?
    /// When it began.
    public let createdAt: Date
    /// The latest end.
    public let expiresAt: Date

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, provider, claims
        case clientID = "client_id"
        case authTime = "auth_time"
        case methods = "amr"
        case level = "acr"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
    }
}
