public import Foundation

/// One security event of the account.
public struct AccountEvent: Codable, Sendable, Hashable {
    /// The time.
    public let at: Date
    /// The kind of event, as `docs/openapi.yaml` names it.
    public let kind: String
    /// `person`, `support` or `service`.
    public let actor: String
    /// The kind of factor or address.
    public let about: String?
    /// The app.
    public let clientID: String?
    /// The provider's id.
    public let provider: String?
    /// The network address of the request.
    public let address: String?
    /// The name of the device: untrusted text.
    public let deviceName: String?
    /// The program: untrusted text.
    public let userAgent: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case at, about, provider, address
        case kind = "type"
        case actor = "by"
        case clientID = "client_id"
        case deviceName = "device_name"
        case userAgent = "user_agent"
    }
}

/// A page of security events, newest first.
public struct AccountEvents: Codable, Sendable, Hashable {
    /// The events.
    public let events: [AccountEvent]
    /// Names the next page; nil on the last one.
    public let nextCursor: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case events
        case nextCursor = "next_cursor"
    }
}
