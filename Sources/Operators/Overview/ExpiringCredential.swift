package import Foundation

/// A credential of this server, or a key that it seals or signs with, and its expiry.
package struct ExpiringCredential: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The certificate of TLS connections.
        case certificate
        /// A secret that a provider issued.
        case clientSecret = "client_secret"
        /// Signs a short-lived secret for each request to a provider.
        case clientKey = "client_key"
        /// Signs access tokens; the gateway activates the next one itself.
        case signingKey = "signing_key"
        /// Seals secrets in the database.
        case masterKey = "master_key"
    }

    /// The urgency of a renewal.
    package enum State: String, Sendable, CaseIterable {
        case good
        case soon, urgent, over
        /// It may expire, but no date is configured.
        case unknown
        case endless
    }

    private static let day = 86_400.0

    /// Unique among all credentials.
    package let name: String
    package let kind: Kind
    /// The provider that accepts it.
    package let provider: String?
    package let expires: Date?
    /// Its name among credentials of its kind, such as a key id.
    package let note: String?

    /// A credential of our own.
    package init(_ kind: Kind, expires: Date? = nil, note: String? = nil) {
        self.init(name: kind.rawValue, kind: kind, provider: nil, expires: expires, note: note)
    }

    /// One of the master keys.
    package init(masterKey id: String) {
        self.init(name: "\(Kind.masterKey.rawValue)_\(id)", kind: .masterKey, provider: nil, expires: nil, note: id)
    }

    /// A credential for a provider.
    package init(_ kind: Kind, of provider: String, expires: Date? = nil, note: String? = nil) {
        self.init(
            name: "\(provider)_\(kind.rawValue)", kind: kind, provider: provider, expires: expires, note: note)
    }

    private init(name: String, kind: Kind, provider: String?, expires: Date?, note: String?) {
        (self.name, self.kind, self.provider) = (name, kind, provider)
        (self.expires, self.note) = (expires, note)
    }

    package func state(at now: Date) -> State {
        guard let expires else { return kind == .certificate || kind == .clientSecret ? .unknown : .endless }
        let days = expires.timeIntervalSince(now) / Self.day
        // It is renewed automatically: action is needed only if that failed.
        if kind == .signingKey { return days > -1 ? .good : .over }
        return days <= 0 ? .over : days <= 7 ? .urgent : days <= 30 ? .soon : .good
    }
}

/// The list of credentials: each source registers at start.
package struct ExpiringCredentials: Sendable {
    private let sources: [@Sendable () -> [ExpiringCredential]]

    package init(_ sources: [@Sendable () -> [ExpiringCredential]]) {
        self.sources = sources
    }

    /// The current state, soonest expiry first.
    package var all: [ExpiringCredential] {
        sources.flatMap { $0() }.sorted { one, other in
            let (left, right) = (one.expires ?? .distantFuture, other.expires ?? .distantFuture)
            return left == right ? one.name < other.name : left < right
        }
    }
}
