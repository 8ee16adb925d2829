package import Clients
import Cryptography
package import Foundation
import Postgres
package import Sessions
package import Vocabulary

/// The answer of the user.
extension DeviceRequests {
    private static let prefix = SecretPrefix.deviceRequest

    /// The reference of a request in the form of the page that asks one account.
    package func reference(to request: DeviceRequest, asking account: UUID) -> String {
        Self.prefix.text(Array(request.id.bytes) + mac.code(request.id.bytes + account.bytes))
    }

    /// The request of such a reference; nil if it is answered, expired, or another account was asked.
    package func open(_ reference: String, asking account: UUID) async throws(Rejection) -> DeviceRequest? {
        guard let bytes = Self.prefix.bytes(of: reference), bytes.count == 16 + ShortMAC.length,
            mac.holds(Array(bytes[16...]), for: Array(bytes[..<16]) + account.bytes)
        else { return nil }
        return try await request(UUID(bytes: bytes[..<16]))
    }

    /// Begins the session of the device from that of the browser.
    ///
    /// The next poll of the device gets it.
    ///
    /// - Parameter granted: what the user granted of the request.
    /// - Throws: `flowExpired` for a request that was answered meanwhile, `sessionEnded`.
    package func allow(
        _ request: DeviceRequest, _ granted: GrantedAccess, of client: Client, by session: SessionSnapshot,
        caller: Caller
    ) async throws(Rejection) {
        let tokens = try TokenOrder(
            at: .gateway, scope: request.access.scopes.names.joined(separator: " "), nonce: nil
        ).granting(granted.scopes)
        let app = AppSession(
            of: client, Self.binding, tokens: tokens, resources: request.access.resources.granting(granted.resources),
            outlivesBrowser: tokens.scopes.isEmpty || tokens.scopes.contains(.offlineAccess))
        let account = session.account.id
        let beginning = try handover.beginning(
            app, from: session.facts.session, of: account, lasting: request.secondsLeft, caller: caller)
        let sealed = box.seal(Array(beginning.code.utf8), purpose: Self.sealing)
        let name = request.userAgent.flatMap(UserAgent.known)
        try await rejecting(logger) {
            try await pool.withConnection { connection in
                try connection.transaction { connection in
                    try beginning.perform(on: connection)
                    try Self.record(sealed, request, account, beginning.session, caller, on: connection)
                    // It has the name of the browser; the device shows its own with the poll.
                    try connection.execute(
                        "update sessions set device_name = \(name) where id = \(beginning.session)")
                }
            }
        }
    }

    /// - Throws: `flowExpired` for a request that was answered meanwhile.
    package func decline(
        _ request: DeviceRequest, by session: SessionSnapshot, caller: Caller
    ) async throws(Rejection) {
        try await rejecting(logger) {
            try await pool.withConnection { connection in
                try Self.record(nil, request, session.account.id, session.facts.session, caller, on: connection)
            }
        }
    }

    private static func record(
        _ sealed: [UInt8]?, _ request: DeviceRequest, _ account: UUID, _ session: UUID, _ caller: Caller,
        on connection: Connection
    ) throws {
        let isRecorded: Bool = try connection.row(
            """
            select answer_device_request(\(request.id), \(sealed), \(account), \(session), \(caller.address), \(caller.requestID))
            """
        ).value(0)
        guard isRecorded else { throw Rejection.flowExpired }
    }

    /// The code of a device's session is bound to no address: no client can redeem it as that of a browser.
    static let binding = CodeBinding(redirectURI: DeviceRequests.grantType, challenge: nil)
    package static let grantType = "urn:ietf:params:oauth:grant-type:device_code"
}
