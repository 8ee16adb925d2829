import Foundation
package import Logging
package import Postgres
package import Providers
import ServiceLifecycle

/// Sends the notices that account changes left in their own transactions: none without its change, none lost by a crash.
///
/// A row is taken under a lock, so two servers never send the same one; a refusal by the mail server is tried again with
/// growing pauses for a day.
package struct NoticeWorker: Service {
    private let pool: ConnectionPool
    private let sender: any MailSender
    private let from: MailAddress
    private let serviceName: String
    private let logger: Logger
    /// Time between two looks for work.
    private let interval: Duration

    private static let mostTries = 12

    package init(
        pool: ConnectionPool, sender: any MailSender, from: MailAddress, serviceName: String, logger: Logger,
        interval: Duration = .seconds(2)
    ) {
        (self.pool, self.sender, self.from, self.serviceName) = (pool, sender, from, serviceName)
        (self.logger, self.interval) = (logger, interval)
    }

    private struct Notice: Sendable {
        let id: Int
        let address: String
        let kind: String
        let tries: Int
    }

    package func run() async throws {
        try await repeatUntilShutdown(every: interval) {
            do {
                while let notice = try await take() { await deliver(notice) }
            } catch {
                logger.debug("notices wait for the database")
            }
        }
    }

    /// Claims one notice for a while: should this server die now, another one sends it later.
    private func take() async throws -> Notice? {
        try await pool.withConnection { connection in
            try connection.queryOne(
                """
                update notices set tries = tries + 1, not_before = now() + least(interval '30 seconds' * 2 ^ tries, interval '6 hours')
                 where id = (select id from notices where not_before <= now() order by id limit 1 for update skip locked)
                returning id, address, kind, tries
                """
            ).map {
                Notice(id: try $0.value(0), address: try $0.value(1), kind: try $0.value(2), tries: try $0.value(3))
            }
        }
    }

    private func deliver(_ notice: Notice) async {
        guard let address = try? MailAddress(notice.address) else { return await forget(notice) }
        do {
            try await sender.send(
                NoticeText.message(kind: notice.kind, from: from, to: address, serviceName: serviceName))
        } catch {
            logger.warning(
                "a notice could not be sent", metadata: ["kind": "\(notice.kind)", "tries": "\(notice.tries)"])
            guard notice.tries >= Self.mostTries else { return }
            logger.error("a notice is given up", metadata: ["kind": "\(notice.kind)"])
        }
        await forget(notice)
    }

    private func forget(_ notice: Notice) async {
        let id = notice.id
        _ = try? await pool.withConnection { connection in
            try connection.execute("delete from notices where id = \(id)")
        }
    }
}
