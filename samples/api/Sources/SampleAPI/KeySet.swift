import JWTKit

/// The gateway's public keys, read every five minutes, and earlier for an unknown key id.
///
/// The gateway publishes a key 15 minutes before the first use.
actor KeySet {
    static let shared = KeySet()

    private var reading: Task<JWKS, any Error>?
    private var readAt = ContinuousClock.now

    func key(_ id: String) async throws -> JWK? {
        if let key = try await keys(atMost: .seconds(300)).find(identifier: id)?.first { return key }
        // Made-up ids cause one request in ten seconds.
        return try await keys(atMost: .seconds(10)).find(identifier: id)?.first
    }

    private func keys(atMost age: Duration) async throws -> JWKS {
        let task: Task<JWKS, any Error>
        if let reading, ContinuousClock.now - readAt < age {
            task = reading
        } else {
            task = Task { try await Gateway.keys() }
            (reading, readAt) = (task, .now)
        }
        do {
            return try await task.value
        } catch {
            if reading == task { reading = nil }
            throw error
        }
    }
}
