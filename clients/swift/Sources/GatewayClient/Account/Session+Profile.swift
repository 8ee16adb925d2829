extension Session {
    /// The account now.
    public func profile() async throws -> Profile { try await answer(.get("/v1/account")) }

    /// Changes the profile; nil leaves a member as it is.
    ///
    /// - Parameters:
    ///   - displayName: ``Change/remove`` takes the name away.
    ///   - attributes: of this app; a null takes one away that need not be there.
    ///   - firstFactor: the preferred first factor.
    public func changeProfile(
        displayName: Change<String>? = nil, attributes: [String: JSONValue] = [:],
        firstFactor: Change<FirstFactor>? = nil
    ) async throws -> Profile {
        var change = ProfileChange(displayName: displayName, firstFactor: firstFactor)
        change.attributes = attributes.isEmpty ? nil : attributes
        return try await answer(.patch("/v1/account", change))
    }

    /// The session and the account as the gateway sees them.
    public func current() async throws -> (session: CurrentSession, account: Account) {
        let answer: CurrentAnswer = try await self.answer(.get("/v1/session"))
        return (answer.session, answer.account)
    }

    /// Sets another password; every other session of the account ends.
    ///
    /// - Parameters:
    ///   - current: the password so far; nil if the account has none.
    ///   - new: the password from now on.
    public func changePassword(from current: String?, to new: String) async throws {
        try await perform(
            .post("/v1/password/change", PasswordChange(current: current.map(Secret.init), new: Secret(new))))
    }

    /// Proves the second factor again, for a call that was refused with ``ErrorCode/stepUpRequired`` or
    /// ``ErrorCode/reauthRequired``.
    ///
    /// The steps end in a new session in place of this one.
    public func stepUp() async throws -> SignInResult {
        let request = StepUpRequest(device: try await circumstances.device.members())
        return try await client.outcome(.post("/v1/session/step-up", request), by: .token(try await access()))
    }

    nonisolated var client: GatewayClient { GatewayClient(keeper: keeper) }
}

extension GatewayClient {
    init(keeper: SessionKeeper) {
        (self.keeper, api, device) = (keeper, keeper.circumstances.api, keeper.circumstances.device)
    }
}

/// A new value, or none.
public enum Change<Value: Sendable>: Sendable {
    /// The new value.
    case set(Value)
    /// Removes the value.
    case remove
}

struct ProfileChange: Encodable, Sendable {
    let displayName: Change<String>?
    let firstFactor: Change<FirstFactor>?
    var attributes: [String: JSONValue]?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case displayName = "display_name"
        case firstFactor = "first_factor"
        case attributes
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(attributes, forKey: .attributes)
        try Self.encode(displayName, .displayName, &values)
        try Self.encode(firstFactor, .firstFactor, &values)
    }

    private static func encode<Value: Encodable>(
        _ change: Change<Value>?, _ key: CodingKeys, _ values: inout KeyedEncodingContainer<CodingKeys>
    ) throws {
        switch change {
        case nil: break
        case .set(let value): try values.encode(value, forKey: key)
        case .remove: try values.encodeNil(forKey: key)
        }
    }
}

struct CurrentAnswer: Decodable {
    let session: CurrentSession
    let account: Account

    enum CodingKeys: String, CodingKey, CaseIterable {
        case session, account
    }
}

struct PasswordChange: Encodable, Sendable {
    let current: Secret?
    let new: Secret

    enum CodingKeys: String, CodingKey, CaseIterable {
        case current = "current_password"
        case new = "new_password"
    }
}

struct StepUpRequest: Encodable, Sendable {
    let device: DeviceMembers?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case device
    }
}
