import Foundation

extension Session {
    /// The devices that skip the second factor.
    public func devices() async throws -> [RememberedDevice] {
        let answer: DevicesAnswer = try await self.answer(.get("/v1/account/devices"))
        return answer.devices
    }

    /// Asks for the second factor on a device again.
    public func forget(_ device: RememberedDevice) async throws {
        try await perform(.delete("/v1/account/devices/\(pathSegment(device.id))"))
    }

    /// The open sessions of the account, last used first.
    public func sessions() async throws -> [OpenSession] {
        let answer: SessionsAnswer = try await self.answer(.get("/v1/account/sessions"))
        return answer.sessions
    }

    /// Ends a session of the account; ``signOut(everywhere:)`` ends this one.
    public func end(_ session: OpenSession) async throws {
        try await perform(.delete("/v1/account/sessions/\(pathSegment(session.id))"))
        if session.id == id { try await finish(SessionEnd(.signedOut)) }
    }

    /// A page of the account's security events, newest first.
    ///
    /// - Parameters:
    ///   - limit: 1 to 100.
    ///   - cursor: ``AccountEvents/nextCursor`` of the page before.
    public func events(limit: Int = 50, after cursor: String? = nil) async throws -> AccountEvents {
        var query = [URLQueryItem(name: "limit", value: String(limit))]
        if let cursor { query.append(URLQueryItem(name: "cursor", value: cursor)) }
        return try await answer(.get("/v1/account/events", query: query))
    }
}

struct DevicesAnswer: Decodable {
    let devices: [RememberedDevice]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case devices
    }
}

struct SessionsAnswer: Decodable {
    let sessions: [OpenSession]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case sessions
    }
}
