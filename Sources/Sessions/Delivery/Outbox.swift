import Cryptography
package import Foundation
import JSON
import Logging
import Postgres

/// The one way out for mails and text messages.
///
/// ``prepare(_:to:language:account:client:)`` makes the message, the statement that makes its code writes it with
/// `enqueue`, and ``deliver(_:)`` sends it after the commit. Should this server die between, another one sends it.
package struct Outbox: Sendable {
    private let couriers: [Medium: DeliveryLanes]
    private let countries: CallingCodes
    private let pool: ConnectionPool
    private let box: SealedBox
    private let random: RandomBytes
    private let now: @Sendable () -> Date

    /// How long a request waits to hear what became of its message.
    private static let patience = Duration.seconds(3)

    init(
        couriers: [Medium: any Courier], countries: CallingCodes = .all, pool: ConnectionPool, keys: MasterKeys,
        random: RandomBytes = .system, now: @escaping @Sendable () -> Date = { Date() }, logger: Logger
    ) {
        (self.countries, self.pool) = (countries, pool)
        (box, self.random, self.now) = (SealedBox(keys, random: random), random, now)
        self.couriers = couriers.mapValues { [box] courier in
            let store = OutboxStore(pool: pool, box: box, logger: logger)
            return DeliveryLanes(Dispatcher(courier: courier, store: store, logger: logger))
        }
    }

    /// Whether anything can be sent by a medium.
    package func reaches(_ medium: Medium) -> Bool { couriers[medium] != nil }

    /// Refuses a destination that gets nothing from here, before anything is paid or looked up: the answer is the same
    /// whoever it belongs to.
    ///
    /// - Throws: `.countryNotServed`.
    package func admit(_ destination: Destination?) throws(Rejection) {
        if case .phone(let number) = destination, !countries.include(number) { throw .countryNotServed }
    }

    /// Whether the newest message to a mailbox or number came back; it depends on nothing else.
    func hasBounced(_ destination: Destination) async throws -> Bool {
        let (medium, address) = (destination.medium.rawValue, destination.text)
        return try await pool.withConnection { connection in
            try connection.queryOne("select newest_bounced(\(medium), \(address))")?.value(0) ?? false
        }
    }

    /// What sends the messages that no request waits for; one for each medium.
    package var workers: [OutboxWorker] {
        couriers.sorted { $0.key.rawValue < $1.key.rawValue }.map { OutboxWorker(medium: $0.key, lanes: $0.value) }
    }

    /// Says that somebody wrote messages that are due.
    package func wake() {
        for lanes in couriers.values { lanes.wake() }
    }

    /// Makes a message for the statement that writes it.
    ///
    /// - Parameter language: a tag of BCP 47, falling back to English where there are no words in it; empty for the
    ///   service's own.
    package func prepare(
        _ content: MessageContent, to destination: Destination, language: String, account: UUID?, client: String?
    ) -> OutgoingMessage {
        let id = UUID.v7(at: now(), random: random)
        return OutgoingMessage(
            id: id, destination: destination, content: content, language: language, account: account, client: client,
            sealed: box.seal(content, for: id), preparedAt: .now)
    }

    /// Sends a message whose statement is committed, and waits a little for the outcome.
    ///
    /// It returns when the message is on its way or still waits for a mail server that is busy or down; then it is tried
    /// again until what it says has expired.
    ///
    /// - Throws: `.deliveryRefused` for an address that is refused for good, `.deliveryUnavailable` where nothing can be
    ///   sent by that medium at all.
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

    /// Nil for what was sealed for another row or under a key that is gone.
    func openContent(_ sealed: [UInt8], for id: UUID) -> MessageContent? {
        guard let plain = try? open(sealed, purpose: Self.purpose(id)), let json = try? JSON(parsing: plain),
            let kind = json["kind"]?.string, let detail = json["detail"]?.object
        else { return nil }
        return MessageContent(kind: kind, detail: detail)
    }

    private static func purpose(_ id: UUID) -> String { "outbox " + id.text }
}
