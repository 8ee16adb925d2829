import Foundation

/// The session, the device token and the proofs' key of one client in a ``TokenStore``.
struct SessionStorage: Sendable {
    let store: any TokenStore
    /// Tells gateways and clients that share a store apart.
    let scope: String

    private enum Item: String {
        case session, device, key
    }

    func load() async throws -> SessionRecord? {
        guard let data = try await guarded({ try await store.read(name(.session)) }) else { return nil }
        // A record of another version of this library: the user signs in again.
        return try? JSONDecoder().decode(SessionRecord.self, from: data)
    }

    func save(_ record: SessionRecord) async throws {
        try await guarded { try await store.write(try JSONEncoder().encode(record), as: name(.session)) }
    }

    func remove() async throws { try await guarded { try await store.remove(name(.session)) } }

    func deviceToken() async throws -> Secret? {
        try await guarded { try await store.read(name(.device)) }.flatMap { String(data: $0, encoding: .utf8) }
            .map(Secret.init)
    }

    func save(deviceToken: Secret) async throws {
        try await guarded { try await store.write(Data(deviceToken.value.utf8), as: name(.device)) }
    }

    func proofKey() async throws -> Data? { try await guarded { try await store.read(name(.key)) } }

    func save(proofKey: Data) async throws { try await guarded { try await store.write(proofKey, as: name(.key)) } }

    private func name(_ item: Item) -> String { "\(scope)/\(item.rawValue)" }

    private func guarded<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw GatewayError.storage(error)
        }
    }
}

/// The name and the token of this device.
///
/// The token outlives sign-outs: attempts of strangers do not slow a known device.
struct DeviceMemory: Sendable {
    let storage: SessionStorage
    let name: String?

    func members() async throws -> DeviceMembers? {
        let token = try await storage.deviceToken()
        return name == nil && token == nil ? nil : DeviceMembers(name: name, token: token)
    }

    func keep(_ token: Secret) async throws { try await storage.save(deviceToken: token) }
}
