import Clients
package import Cryptography
package import Foundation
import JSON
package import Logging
package import Postgres
package import Sessions
package import Vocabulary

/// The requests of devices (RFC 8628): stores them, finds them by the code that a user types, and answers their polls.
package struct DeviceRequests: Sendable {
    let pool: ConnectionPool
    let codes: DeviceCodes
    let mac: ShortMAC
    let box: SealedBox
    let handover: HandoverService
    let throttles: Throttles
    let logger: Logger
    private let userCodeKey: [UInt8]

    /// Seconds that a user has to type the code and to answer.
    package static let life = 600
    /// Seconds between two polls.
    package static let interval = 5
    /// Seconds by which a poll may come too early: networks delay one more than the next.
    static let patience = 1
    /// Seconds that are added to the interval of a device that polls too fast (RFC 8628 §3.5).
    static let penalty = 5
    /// How often a new user code is drawn: another device may wait with the same one.
    private static let mostDraws = 4
    static let sealing = "device request"

    package init(
        pool: ConnectionPool, keys: MasterKeys, handover: HandoverService, throttles: Throttles, logger: Logger
    ) {
        (self.pool, self.handover, self.throttles, self.logger) = (pool, handover, throttles, logger)
        (codes, mac, box) = (DeviceCodes(keys: keys), ShortMAC(keys, "device request"), SealedBox(keys))
        userCodeKey = keys.derived("user code")
    }

    /// The two codes of a stored request.
    package struct Codes: Sendable {
        package let device: String
        package let user: UserCode
    }

    /// Stores the request of a device.
    ///
    /// - Throws: `throttled` for a network that stores too many.
    package func begin(
        _ asked: DeviceAuthorization, caller: Caller, at now: Date
    ) async throws(Rejection) -> Codes {
        for _ in 0..<Self.mostDraws {
            let (device, user) = (codes.make(), UserCode(random: .system))
            if try await store(asked, device.digest, user, caller, now) {
                return Codes(device: device.text, user: user)
            }
        }
        throw .overloaded(retryAfter: 1)
    }

    /// False if another request has the user code.
    private func store(
        _ asked: DeviceAuthorization, _ device: [UInt8], _ user: UserCode, _ caller: Caller, _ now: Date
    ) async throws(Rejection) -> Bool {
        let (id, digest) = (UUID.v7(at: now, random: .system), user.digest(key: userCodeKey))
        let price = throttles.start(address: caller.address)
        let (wait, isStored): (Int, Bool) = try await rejecting(logger) {
            try await pool.withConnection { connection in
                let row = try connection.row(
                    """
                    with price as materialized (select take_from_throttles(\(price)) wait), stored as (
                        insert into device_requests (id, client_id, device_digest, user_code_digest, scopes, interval_seconds,
                                                     address, user_agent, expires_at)
                        select \(id), \(asked.client.id), \(device), \(digest), \(asked.access.names), \(Int32(Self.interval)),
                               \(caller.address), \(caller.userAgent), now() + make_interval(secs => \(Int32(Self.life)))
                          from price where wait <= 0
                        on conflict (user_code_digest) do nothing returning 1)
                    select wait, exists (select from stored) from price
                    """)
                return (try row.wholeSeconds(0), try row.value(1))
            }
        }
        guard wait <= 0 else { throw .throttled(retryAfter: wait) }
        return isStored
    }

    /// Finds the request whose device shows the typed code.
    ///
    /// - Throws: `userCodeInvalid` for every other code, whatever the reason; `throttled`.
    package func find(
        _ typed: String, by account: UUID, caller: Caller
    ) async throws(Rejection) -> DeviceRequest {
        guard let code = UserCode(typed) else { throw .device(.userCodeInvalid) }
        let digest = code.digest(key: userCodeKey)
        let price = throttles.deviceCodeGuess(account: account.text, address: caller.address)
        let (wait, id): (Int, UUID?) = try await rejecting(logger) {
            try await pool.withConnection { connection in
                let row = try connection.row("select wait, id from find_device_request(\(digest), \(price))")
                return (try row.wholeSeconds(0), try row.value(1))
            }
        }
        guard wait <= 0 else { throw .throttled(retryAfter: wait) }
        guard let id, let found = try await request(id) else { throw .device(.userCodeInvalid) }
        return found
    }

    func request(_ id: UUID) async throws(Rejection) -> DeviceRequest? {
        try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.queryOne(
                    """
                    select client_id, scopes, address, user_agent, created_at, extract(epoch from expires_at - now())::float8
                      from device_requests where id = \(id) and state = 'pending' and expires_at > now()
                    """
                ).map { try DeviceRequest(id, $0) }
            }
        }
    }
}
