import Cryptography
package import Foundation
import JSON
import Synchronization

/// One key of ours, as every server holds it.
package struct SigningKey: Sendable {
    package let id: String
    package let publishedAt: Date
    /// Nil for the next one.
    package let activatesAt: Date?
    /// When the last token it signed has ended.
    package let retiresAt: Date?
    let publicJWK: JSON
    let publicKey: PublicKey
    let signer: JWTSigner
}

/// The keys that sign and verify our tokens, held in memory and replaced as a whole when the database tells of a change.
///
/// A key is public from its first second and used from its activation, which lies far enough ahead for every server and
/// every verifier to know it by then: a rotation refuses nobody.
package final class SigningKeys: Sendable {
    private struct Held {
        var keys: [SigningKey] = []
        var byID: [String: SigningKey] = [:]
        var document: [UInt8] = []
    }

    private let held = Mutex(Held())

    /// Seconds for which others may keep our key set; a key is used no sooner after its publication.
    package static let publicationLead = 900

    package init() {}

    package func replace(with keys: [SigningKey]) {
        let newestFirst = keys.sorted { ($0.activatesAt ?? .distantFuture) > ($1.activatesAt ?? .distantFuture) }
        let document: JSON = ["keys": .array(newestFirst.map(\.publicJWK))]
        let byID = Dictionary(newestFirst.map { ($0.id, $0) }) { first, _ in first }
        held.withLock { $0 = Held(keys: newestFirst, byID: byID, document: document.bytes()) }
    }

    package var isEmpty: Bool { held.withLock { $0.keys.isEmpty } }

    /// When the newest of them came, or comes, into use.
    package var newestActivation: Date? { held.withLock { $0.keys.compactMap(\.activatesAt).max() } }

    /// The public set as JSON (RFC 7517 §5).
    package var document: [UInt8] { held.withLock { $0.document } }

    /// The key of that id, until it retires.
    func publicKey(_ id: String, at now: Date) -> PublicKey? {
        guard let key = held.withLock({ $0.byID[id] }), key.retiresAt ?? .distantFuture > now else { return nil }
        return key.publicKey
    }

    /// The key in use at a moment; the same moment gives the same key on every server.
    func signer(at moment: Date) throws(Rejection) -> JWTSigner {
        let active = held.withLock { held in
            held.keys.first { ($0.activatesAt ?? .distantFuture) <= moment } ?? held.keys.last
        }
        guard let active else { throw .internalError }
        return active.signer
    }
}
