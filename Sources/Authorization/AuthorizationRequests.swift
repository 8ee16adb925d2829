package import Clients
package import Cryptography
package import Foundation
import JSON
package import Logging
package import Postgres
package import Sessions
package import Vocabulary

/// An authorization request that waits for its user.
package struct StoredRequest: Sendable {
    package let id: UUID
    package let client: String
    package let parameters: AuthorizationParameters
    package let isPushed: Bool
    /// When a browser brought it first.
    package let begun: Date
}

/// Stores authorization requests, and finds them by a reference in addresses.
package struct AuthorizationRequests: Sendable {
    private let pool: ConnectionPool
    private let throttles: Throttles
    private let mac: ShortMAC
    private let logger: Logger

    /// Seconds that a user has for the sign-in.
    package static let life = 3_600
    /// Seconds from a push to the browser's visit (RFC 9126 §2.2).
    package static let pushedLife = 60
    private static let prefix = SecretPrefix.authorizationRequest
    private static let urn = "urn:ietf:params:oauth:request_uri:"

    package init(pool: ConnectionPool, keys: MasterKeys, throttles: Throttles, logger: Logger) {
        (self.pool, self.throttles, self.logger) = (pool, throttles, logger)
        mac = ShortMAC(keys, "authorization request")
    }

    /// Stores a request and returns its reference.
    ///
    /// - Throws: `throttled` for a network that stores too many.
    package func store(
        _ parameters: AuthorizationParameters, of client: Client, isPushed: Bool, caller: Caller, at now: Date
    ) async throws(Rejection) -> String {
        let id = UUID.v7(at: now, random: .system)
        let life = Int32(isPushed ? Self.pushedLife : Self.life)
        // A back end that an operator added pushes the requests of all its users, and has proved itself.
        let isFree = isPushed && client.kind == .confidential && client.isProved
        let price = isFree ? [] : throttles.authorizationRequest(address: caller.address)
        let wait: Int = try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.row(
                    """
                    with price as materialized (select take_from_throttles(\(price)) wait), stored as (
                        insert into authorization_requests (id, client_id, parameters, is_pushed, expires_at)
                        select \(id), \(client.id), \(JSONText(parameters.json.text)), \(isPushed),
                               now() + make_interval(secs => \(life))
                          from price where wait <= 0)
                    select wait from price
                    """
                ).wholeSeconds(0)
            }
        }
        guard wait <= 0 else { throw .throttled(retryAfter: wait) }
        return Self.prefix.text(mac.sealed(id.bytes))
    }

    /// The reference as `request_uri` (RFC 9126 §2.2).
    package static func requestURI(of reference: String) -> String { urn + reference }

    /// The reference in a `request_uri`; nil for another address.
    package static func reference(ofRequestURI uri: String) -> String? {
        uri.hasPrefix(urn) ? String(uri.dropFirst(urn.count)) : nil
    }

    /// A pending request; nil for one that has expired or was answered, and for a text that is no reference of ours.
    ///
    /// The first visit of a browser gives a pushed request the time for a sign-in.
    package func open(_ reference: String) async throws(Rejection) -> StoredRequest? {
        guard let bytes = Self.prefix.bytes(of: reference), bytes.count == 32,
            mac.holds(Array(bytes[16...]), for: Array(bytes[..<16]))
        else { return nil }
        let id = UUID(bytes: bytes[..<16])
        return try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.execute(
                    """
                    update authorization_requests
                       set opened_at = now(), expires_at = now() + make_interval(secs => \(Int32(Self.life)))
                     where id = \(id) and is_pushed and opened_at is null and expires_at > now()
                    """)
                return try connection.queryOne(
                    """
                    select client_id, parameters::text, is_pushed, coalesce(opened_at, created_at)
                      from authorization_requests where id = \(id) and expires_at > now()
                    """
                ).map { row in
                    StoredRequest(
                        id: id, client: try row.value(0),
                        parameters: AuthorizationParameters(try JSON(parsing: try row.value(1, as: String.self))),
                        isPushed: try row.value(2), begun: try row.value(3))
                }
            }
        }
    }

    /// Ends a request that the user declined.
    package func end(_ id: UUID) async throws(Rejection) {
        try await rejecting(logger) {
            _ = try await pool.execute("delete from authorization_requests where id = \(id)")
        }
    }
}
