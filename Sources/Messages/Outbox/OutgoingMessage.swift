package import Foundation
import Postgres

/// A message that is about to enter the outbox.
///
/// The statement that creates a code also stores its message, so neither exists without the other.
package struct OutgoingMessage: Sendable {
    package let id: UUID
    package let destination: Destination
    package let content: MessageContent
    /// A BCP 47 tag; empty for the service's language.
    package let language: String
    package let account: UUID?
    package let client: String?
    /// The content for the table, sealed with the master key.
    let sealed: [UInt8]
    /// 0 for a message that another process sends.
    let leaseSeconds: Int
    /// The time of preparation, which precedes the start of the row's lease.
    let preparedAt: ContinuousClock.Instant

    /// The leased message, as after a claim.
    var claimed: ClaimedMessage {
        ClaimedMessage(
            id: id, destination: destination, content: content, language: language, client: client, tries: 1,
            claimedAt: preparedAt)
    }
}

extension OutgoingMessage: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(content.kind) by \(destination.medium.rawValue)" }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension SQL.StringInterpolation {
    /// Binds the composite value `outgoing_message`, or its null, for which `enqueue` does nothing.
    package mutating func appendInterpolation(outgoing message: OutgoingMessage?) {
        guard let message else {
            appendLiteral("null::outgoing_message")
            return
        }
        appendLiteral("row(")
        appendInterpolation(message.id)
        appendLiteral(", ")
        appendInterpolation(message.destination.medium.rawValue)
        appendLiteral(", ")
        appendInterpolation(message.destination.text)
        appendLiteral(", ")
        appendInterpolation(message.content.kind)
        appendLiteral(", ")
        appendInterpolation(message.language.isEmpty ? nil : message.language)
        appendLiteral(", ")
        appendInterpolation(message.client)
        appendLiteral(", ")
        appendInterpolation(message.account)
        appendLiteral(", ")
        appendInterpolation(message.sealed)
        appendLiteral(", ")
        appendInterpolation(Int32(message.leaseSeconds))
        appendLiteral(", ")
        appendInterpolation(Int32(clamping: message.content.lifeSeconds))
        appendLiteral(")::outgoing_message")
    }
}
