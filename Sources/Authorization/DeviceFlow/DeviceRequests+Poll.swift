package import Clients
import Cryptography
import Postgres
package import Sessions
package import Vocabulary

/// The polls of the device.
extension DeviceRequests {
    /// The session that the user allowed, once.
    ///
    /// - Parameters:
    ///   - resource: the resource that the access token is for; nil for the only one, or the app's own API.
    ///   - resources: those of all clients.
    /// - Throws: the ``DeviceRefusal`` of a poll without a session; `handoverCodeInvalid` for an unknown code, one of another
    ///   client, and one whose session was fetched or has ended; `targetInvalid`.
    package func redeem(
        _ code: String, for resource: String?, among resources: ResourceCatalogue, client: Client, caller: Caller
    ) async throws(Rejection) -> IssuedSession {
        guard client.usesDeviceFlow else { throw .device(.clientNotAllowed) }
        guard let digest = codes.digest(of: code) else { throw .handoverCodeInvalid }
        let id = client.id
        return try await handover.redeem(
            for: resource, among: resources, client: client, at: .gateway, caller: caller
        ) { connection in
            try poll(digest, id, on: connection)
        }
    }

    private func poll(
        _ digest: [UInt8], _ client: String, on connection: Connection
    ) throws -> Result<HandoverService.Claim, Rejection> {
        let row = try connection.row(
            """
            select outcome, sealed
              from poll_device_request(\(digest), \(client), \(Int32(Self.patience)), \(Int32(Self.penalty)), \(Int32(Self.life)))
            """)
        switch try row.value(0, as: DevicePoll.self) {
        case .pending: return .failure(.device(.pending))
        case .slowDown: return .failure(.device(.tooSoon))
        case .declined: return .failure(.device(.declined))
        case .expired: return .failure(.device(.expired))
        case .invalid: return .failure(.handoverCodeInvalid)
        case .allowed:
            let code = try box.open(try row.value(1), purpose: Self.sealing)
            return .success(
                HandoverService.Claim(
                    code: String(decoding: code, as: UTF8.self), verifier: nil, redirectURI: Self.binding.redirectURI))
        }
    }
}
