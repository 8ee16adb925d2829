package import Cryptography
package import Foundation
import Settings
import Vocabulary

/// A key with which the back end of a client acts as an operator, as the server holds it.
package struct AccessKey: Sendable {
    /// Twenty letters and digits; no secret.
    package let id: String
    /// Its id as the actor of audit rows.
    package let actor: UUID
    package let clientID: String
    /// The SHA-256 of its secret; nil where the client authenticates itself.
    let digest: [UInt8]?
    /// The secret of signatures; nil for a key that does not sign.
    let secret: Secret?
    /// The only networks from which it works; nil for all.
    let networks: [NetworkRange]?
    let issued: Date
    /// Nil for never.
    let expires: Date?
    /// Whether its sign-ins may count for the network of the user that it names.
    package let mayNameNetwork: Bool

    /// - Parameter networks: empty for all; a malformed one admits nobody.
    package init(
        id: String, actor: UUID, clientID: String, issued: Date, digest: [UInt8]? = nil, secret: Secret? = nil,
        networks: [String] = [], expires: Date? = nil, mayNameNetwork: Bool = false
    ) {
        (self.id, self.actor, self.clientID, self.issued) = (id, actor, clientID, issued)
        (self.digest, self.secret, self.expires) = (digest, secret, expires)
        self.networks = networks.isEmpty ? nil : networks.compactMap(NetworkRange.init)
        self.mayNameNetwork = mayNameNetwork
    }

    /// The reason to refuse the key for a call.
    package enum Fault: Error, Equatable, Sendable {
        case expired
        /// The call comes from another network.
        case wrongNetwork
    }

    /// The seconds for which a token of it may live, at most so many.
    package func life(_ most: Int, at now: Date) -> Int {
        expires.map { min(most, max(Int($0.timeIntervalSince(now)), 0)) } ?? most
    }

    /// - Parameters:
    ///   - address: the caller's address.
    ///   - now: the server's time.
    package func check(from address: String, at now: Date) throws(Fault) {
        if let expires, expires <= now { throw .expired }
        guard let networks else { return }
        guard let address = NetworkAddress(address), networks.contains(where: { $0.contains(address) }) else {
            throw .wrongNetwork
        }
    }
}

/// The forms of a key.
extension AccessKey {
    private static let idLength = 20
    private static let secretLength = 40

    /// A new id: 90 bits.
    package static func newID() -> String { "GW" + String(Base32.encode(RandomBytes.system(12)).prefix(18)) }

    /// A new secret: 240 bits in 40 characters, as the SDKs of AWS expect it.
    package static func newSecret() -> String { Base64URL.encode(RandomBytes.system(30)) }

    /// The key as a bearer token.
    package static func text(_ id: String, _ secret: String) -> String { prefix(of: id) + secret }

    /// Its beginning, which is no secret.
    package static func prefix(of id: String) -> String { SecretPrefix.accessKey.rawValue + id }

    /// Whether a bearer token has the form of a key.
    package static func isKey(_ text: String) -> Bool { SecretPrefix.accessKey.begins(text) }

    /// The parts of a bearer token; nil for another form.
    static func parts(of text: String) -> (id: String, secret: String)? {
        guard let rest = SecretPrefix.accessKey.rest(of: text), rest.utf8.count == idLength + secretLength else {
            return nil
        }
        return (String(rest.prefix(idLength)), String(rest.dropFirst(idLength)))
    }

    /// Compares in constant time; the secret is random, so its digest needs no work factor.
    func isProved(by secret: String) -> Bool {
        digest.map { ConstantTime.equal($0, Self.digest(of: secret)) } ?? false
    }

    static func digest(of secret: String) -> [UInt8] { SHA256.hash(secret) }

    /// The secret for the database.
    package static func seal(_ secret: String, of id: String, _ box: SealedBox) -> [UInt8] {
        box.seal(Array(secret.utf8), purpose: purpose(id))
    }

    /// - Throws: ``SealedBoxError`` for the secret of another key, or without its master key.
    static func open(_ sealed: [UInt8], of id: String, _ box: SealedBox) throws(SealedBoxError) -> Secret {
        Secret(try box.open(sealed, purpose: purpose(id)))
    }

    private static func purpose(_ id: String) -> String { "access key \(id)" }
}
