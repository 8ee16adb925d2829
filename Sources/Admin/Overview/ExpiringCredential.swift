package import Foundation

/// Something by which this server is known or which it seals and signs with, and when that ends.
package struct ExpiringCredential: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The one that this server shows to whoever speaks TLS with it.
        case certificate
        /// What a provider gave us once, and knows us by.
        case clientSecret = "client_secret"
        /// Signs a secret of a few minutes for each request to a provider.
        case clientKey = "client_key"
        /// Signs access tokens; the gateway itself brings the next one into use.
        case signingKey = "signing_key"
        /// Seals what must not lie open in the database.
        case masterKey = "master_key"
    }

    /// How soon somebody has to do something.
    package enum State: String, Sendable, CaseIterable {
        case good
        case soon, urgent, over
        /// It may end, and nobody has said when.
        case unknown
        case endless
    }

    private static let day = 86_400.0

    /// Unlike that of any other.
    package let name: String
    package let kind: Kind
    /// The provider that takes it.
    package let provider: String?
    package let expires: Date?
    /// What tells it from others of its kind, such as a key's id.
    package let note: String?

    /// Something of our own.
    package init(_ kind: Kind, expires: Date? = nil, note: String? = nil) {
        self.init(name: kind.rawValue, kind: kind, provider: nil, expires: expires, note: note)
    }

    /// One of the master keys.
    package init(masterKey id: String) {
        self.init(name: "\(Kind.masterKey.rawValue)_\(id)", kind: .masterKey, provider: nil, expires: nil, note: id)
    }

    /// Something that a provider takes.
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
        // It is renewed when its time has come: only where that didn't happen is there something to do.
        if kind == .signingKey { return days > -1 ? .good : .over }
        return days <= 0 ? .over : days <= 7 ? .urgent : days <= 30 ? .soon : .good
    }
}

/// The list of them: whoever owns one says, at start, how to look at it.
package struct ExpiringCredentials: Sendable {
    private let sources: [@Sendable () -> [ExpiringCredential]]

    package init(_ sources: [@Sendable () -> [ExpiringCredential]]) {
        self.sources = sources
    }

    /// As they are now, what ends first in front.
    package var all: [ExpiringCredential] {
        sources.flatMap { $0() }.sorted { one, other in
            let (left, right) = (one.expires ?? .distantFuture, other.expires ?? .distantFuture)
            return left == right ? one.name < other.name : left < right
        }
    }
}
