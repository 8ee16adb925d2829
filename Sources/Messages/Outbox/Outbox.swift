import Cryptography
package import Foundation
import JSON
import Logging
import Postgres
package import Vocabulary

/// The only exit for mails and text messages.
///
/// ``prepare(_:to:language:account:client:)`` creates the message. The statement that creates its code stores it with
/// `enqueue`. ``deliver(_:)`` sends it after the commit. If this server dies in between, another one sends it.
package struct Outbox: Sendable {
    private let couriers: [Medium: DeliveryLanes]
    private let countries: CallingCodes
    private let pool: ConnectionPool
    private let box: SealedBox
    private let now: @Sendable () -> Date

    /// The longest wait of a request for the outcome of its message.
    private static let patience = Duration.seconds(3)

    init(
        couriers: [Medium: any Courier], countries: CallingCodes = .all, pool: ConnectionPool, keys: MasterKeys,
        now: @escaping @Sendable () -> Date = { Date() }, logger: Logger
    ) {
        (self.countries, self.pool) = (countries, pool)
        (box, self.now) = (SealedBox(keys), now)
        self.couriers = couriers.mapValues { [box] courier in
            let store = OutboxStore(pool: pool, box: box, logger: logger)
            return DeliveryLanes(Dispatcher(courier: courier, store: store, logger: logger))
        }
    }

    /// Whether a medium has a sender.
    package func reaches(_ medium: Medium) -> Bool { couriers[medium] != nil }

    /// Refuses a destination outside the served countries, before any charge or look-up.
    ///
    /// The answer is the same for every account.
    ///
    /// - Throws: `.countryNotServed`.
    package func admit(_ destination: Destination?) throws(Rejection) {
        if case .phone(let number) = destination, !countries.include(number) { throw .countryNotServed }
    }

    /// Whether the newest message to a mailbox or number bounced; nothing else affects it.
    package func hasBounced(_ destination: Destination) async throws -> Bool {
        let (medium, address) = (destination.medium.rawValue, destination.text)
        return try await pool.withConnection { connection in
            try connection.queryOne("select newest_bounced(\(medium), \(address))")?.value(0) ?? false
        }
    }

    /// The workers for messages without a waiting request, one per medium.
    package var workers: [OutboxWorker] {
        couriers.sorted { $0.key.rawValue < $1.key.rawValue }.map { OutboxWorker(medium: $0.key, lanes: $0.value) }
    }

    /// Reports that due messages were stored.
    package func wake() {
        for lanes in couriers.values { lanes.wake() }
    }

    /// Creates a message for the statement that stores it.
    ///
    /// - Parameter language: a BCP 47 tag; English without texts in it, and the service's language if empty.
    package func prepare(
        _ content: MessageContent, to destination: Destination, language: String, account: UUID?, client: String?
    ) -> OutgoingMessage {
        let id = UUID.v7(at: now(), random: .system)
        return OutgoingMessage(
            id: id, destination: destination, content: content, language: language, account: account, client: client,
            sealed: box.seal(content, for: id), leaseSeconds: couriers.isEmpty ? 0 : Lease.seconds, preparedAt: .now)
    }

    /// Sends a message after the commit of its statement, and waits shortly for the outcome.
    ///
    /// It also returns while the delivery runs, or waits for a busy or failed mail server; retries then continue until
    /// the message expires.
    ///
    /// - Throws: `.deliveryRefused` for a permanently refused address, `.deliveryUnavailable` without a sender for that
    ///   medium.
    package func deliver(_ message: OutgoingMessage) async throws(Rejection) {
        guard let lanes = couriers[message.destination.medium] else { throw .deliveryUnavailable }
        if case .refused = await lanes.attempt(message.claimed, within: Self.patience) { throw .deliveryRefused }
    }
}

extension SealedBox {
    func seal(_ content: MessageContent, for id: UUID) -> [UInt8] {
        let text = JSON.object(["kind": .string(content.kind), "detail": .object(content.detail)]).text
        return seal(Array(text.utf8), purpose: Self.purpose(id))
    }

    /// Nil for content sealed for another row or under a removed key.
    func openContent(_ sealed: [UInt8], for id: UUID) -> MessageContent? {
        guard let plain = try? open(sealed, purpose: Self.purpose(id)), let json = try? JSON(parsing: plain),
            let kind = json["kind"]?.string, let detail = json["detail"]?.object
        else { return nil }
        return MessageContent(kind: kind, detail: detail)
    }

    private static func purpose(_ id: UUID) -> String { "outbox " + id.text }
}
