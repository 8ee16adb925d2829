package import Clients
package import Foundation
package import Logging
import Metrics
package import Outbound
package import Postgres
import ServiceLifecycle
package import Sessions

/// Tells apps of ended sessions (OpenID Connect Back-Channel Logout 1.0): three tries, within about a minute.
///
/// The end of a session queues its notice in the same transaction (`note_logout.sql`).
package struct LogoutNotices: Service {
    private let pool: ConnectionPool
    private let clients: ClientRegistry
    private let issuer: TokenIssuer
    private let transport: any HTTPTransport
    private let now: @Sendable () -> Date
    private let logger: Logger

    private static let interval = Duration.seconds(1)
    private static let atOnce = 16
    /// Seconds of the lease of a notice, longer than a try takes.
    private static let lease: Int32 = 15
    /// Seconds before the second and the third try.
    private static let pauses: [Int32] = [10, 60]

    package init(
        pool: ConnectionPool, clients: ClientRegistry, issuer: TokenIssuer, transport: any HTTPTransport,
        now: @escaping @Sendable () -> Date, logger: Logger
    ) {
        (self.pool, self.clients, self.issuer, self.transport) = (pool, clients, issuer, transport)
        (self.now, self.logger) = (now, logger)
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                if clients.wantsLogoutNotices { await sendDue() }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    /// Tries every due notice once; a notice that can't be claimed now is due again soon.
    func sendDue() async {
        let due = (try? await claim()) ?? []
        await withDiscardingTaskGroup { group in
            for notice in due { group.addTask { await settle(notice, wasDelivered: await send(notice)) } }
        }
    }

    private struct Notice: Sendable {
        let session: UUID
        let subject: String
        let client: String
        let tries: Int
    }

    private func claim() async throws -> [Notice] {
        try await pool.query(
            """
            update logout_notices n set tries = n.tries + 1, not_before = now() + make_interval(secs => \(Self.lease))
             where n.session_id = any (array(
                 select d.session_id from logout_notices d where d.not_before <= now()
                  order by d.not_before limit \(Int32(Self.atOnce)) for update skip locked))
            returning n.session_id, coalesce(n.subject, n.account_id::text), n.client_id, n.tries
            """
        ) { row in
            Notice(
                session: try row.value(0), subject: try row.value(1), client: try row.value(2),
                tries: Int(try row.value(3, as: Int16.self)))
        }
    }

    /// Whether the app has the notice, or wants none any more.
    ///
    /// An answer of 200 or 204 accepts it, and 400 refuses it for good (§2.8).
    private func send(_ notice: Notice) async -> Bool {
        guard let client = clients.client(notice.client), let address = client.openID.backChannelLogoutURI,
            let token = try? issuer.logoutToken(
                session: notice.session, subject: notice.subject, for: client, at: now())
        else { return true }
        var request = HTTPRequest.form(address, [("logout_token", token)])
        request.deadline = .seconds(5)
        request.maximumBytes = 64 * 1024
        var (status, fault): (Int?, (any Error)?)
        do {
            status = try await transport.send(request).status
        } catch {
            fault = error
        }
        let isDelivered = status.map { (200..<300).contains($0) } ?? false
        Counter(label: "logout_notices_total", dimensions: [("outcome", isDelivered ? "delivered" : "failed")])
            .increment()
        if !isDelivered {
            // Only another address helps: the gateway calls no private one.
            let isRefused = fault as? TransferError == .addressRefused
            let reason = isRefused ? "address_refused" : fault.map { "\($0)" } ?? "status \(status ?? 0)"
            logger.log(
                level: isRefused ? .warning : .info, "an app could not be told of a sign-out",
                metadata: ["client": "\(client.id)", "try": "\(notice.tries)", "reason": "\(reason)"])
        }
        return isDelivered || status == 400
    }

    private func settle(_ notice: Notice, wasDelivered: Bool) async {
        let pause = notice.tries <= Self.pauses.count ? Self.pauses[notice.tries - 1] : nil
        let statement: SQL =
            if let pause, !wasDelivered {
                "update logout_notices set not_before = now() + make_interval(secs => \(pause)) where session_id = \(notice.session)"
            } else {
                "delete from logout_notices where session_id = \(notice.session)"
            }
        _ = try? await pool.withConnection { try $0.execute(statement) }
    }
}
