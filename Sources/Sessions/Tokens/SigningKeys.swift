package import Clients
import Cryptography
package import Foundation
import JSON
import Synchronization
import Vocabulary

/// A signing key of this service.
package struct SigningKey: Sendable {
    package let id: String
    package let publishedAt: Date
    /// Nil for a key that is only published.
    package let activatesAt: Date?
    /// The expiry of the last token that it signed.
    package let retiresAt: Date?
    package let algorithm: TokenProfile.Algorithm
    let publicJWK: JSON
    let publicKey: PublicKey
    let signer: JWTSigner

    /// The state of a key; each algorithm has its own current key.
    package enum State: String, Sendable {
        /// Published, without a time of activation.
        case next
        /// Published, and active at a later time.
        case coming
        case current
        /// Published until its last token has expired.
        case retired
    }

    /// - Parameter keys: every published key.
    package func state(among keys: [SigningKey], at now: Date) -> State {
        guard let activatesAt else { return .next }
        guard activatesAt <= now else { return .coming }
        return keys.signer(algorithm, at: now)?.id == id ? .current : .retired
    }
}

extension [SigningKey] {
    /// The active key of an algorithm: of several, the one with the latest activation.
    fileprivate func signer(_ algorithm: TokenProfile.Algorithm, at now: Date) -> SigningKey? {
        lazy.filter { $0.algorithm == algorithm && ($0.activatesAt ?? .distantFuture) <= now }
            .max { ($0.activatesAt ?? .distantPast) < ($1.activatesAt ?? .distantPast) }
    }
}

/// The keys that sign and verify access tokens, in memory.
///
/// A change in the database replaces all of them.
///
/// A key is published long before its activation, so that every server and verifier knows it before it signs.
package final class SigningKeys: Sendable {
    private struct Held {
        var keys: [SigningKey] = []
        var byID: [String: SigningKey] = [:]
        var documents: [TokenProfile.Algorithm: [UInt8]] = [:]
        /// Of every algorithm.
        var document: [UInt8] = JSON.object(["keys": []]).bytes()
    }

    private let held = Mutex(Held())

    /// Seconds for which clients may cache the key set, and the least time between publication and activation.
    package static let publicationLead = 900

    package init() {}

    package func replace(with keys: [SigningKey]) {
        let newestFirst = keys.sorted { ($0.activatesAt ?? .distantFuture) > ($1.activatesAt ?? .distantFuture) }
        let documents = Dictionary(grouping: newestFirst, by: \.algorithm).mapValues { keys in
            JSON.object(["keys": .array(keys.map(\.publicJWK))]).bytes()
        }
        let byID = Dictionary(newestFirst.map { ($0.id, $0) }) { first, _ in first }
        let document = JSON.object(["keys": .array(newestFirst.map(\.publicJWK))]).bytes()
        held.withLock { $0 = Held(keys: newestFirst, byID: byID, documents: documents, document: document) }
    }

    package var isEmpty: Bool { held.withLock { $0.keys.isEmpty } }

    /// Whether there is a key of the algorithm.
    func has(_ algorithm: TokenProfile.Algorithm) -> Bool { held.withLock { $0.documents[algorithm] != nil } }

    /// The latest activation of any key.
    package var newestActivation: Date? { held.withLock { $0.keys.compactMap(\.activatesAt).max() } }

    /// The public set of all keys as JSON (RFC 7517 §5).
    package var document: [UInt8] { held.withLock { $0.document } }

    /// The public set of an algorithm's keys as JSON (RFC 7517 §5).
    package func document(of algorithm: TokenProfile.Algorithm) -> [UInt8] {
        held.withLock { $0.documents[algorithm] } ?? JSON.object(["keys": []]).bytes()
    }

    /// The key with this id, until it retires.
    func publicKey(_ id: String, at now: Date) -> PublicKey? {
        guard let key = held.withLock({ $0.byID[id] }), key.retiresAt ?? .distantFuture > now else { return nil }
        return key.publicKey
    }

    /// The active key of an algorithm at a time; every server selects the same one.
    func signer(_ algorithm: TokenProfile.Algorithm, at moment: Date) throws(Rejection) -> JWTSigner {
        let active = held.withLock { held in
            held.keys.first { $0.algorithm == algorithm && ($0.activatesAt ?? .distantFuture) <= moment }
                ?? held.keys.last { $0.algorithm == algorithm }
        }
        guard let active else { throw .internalError }
        return active.signer
    }
}
