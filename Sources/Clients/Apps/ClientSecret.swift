package import Cryptography

/// The secret of a client, as the server holds it.
package enum ClientSecret: Sendable, Equatable {
    /// SHA-256 of the secret, which only a comparison needs.
    case digest([UInt8])
    /// The secret itself, for protocols that use it as the key of an HMAC. The database has it sealed.
    case sealed(Secret)

    /// How the database keeps a secret.
    package enum Storage: String, Sendable, CaseIterable {
        /// As its SHA-256. The database and the master keys together don't reveal it.
        case digest
        /// Sealed with the master key, for an HMAC over requests.
        case sealed
    }

    var digest: [UInt8] {
        switch self {
        case .digest(let digest): digest
        case .sealed(let secret): SHA256.hash(secret.revealed)
        }
    }

    /// Compares digests in constant time, for both kinds.
    func matches(_ presented: String) -> Bool {
        ConstantTime.equal(SHA256.hash(presented), digest)
    }

    /// Whether a code is the HMAC-SHA-256 of a message under this secret; compared in constant time.
    ///
    /// Always false for a secret that is kept as its digest.
    package func authenticates(_ message: [UInt8], by code: [UInt8]) -> Bool {
        guard case .sealed(let secret) = self else { return false }
        return ConstantTime.equal(HMACSHA256.code(message, key: secret.revealed), code)
    }
}

/// The columns `secret_digest` and `secret_sealed` of a client, of which one is null.
package struct StoredClientSecret: Sendable, Equatable {
    package let digest: [UInt8]?
    package let sealed: [UInt8]?

    init(digest: [UInt8]?, sealed: [UInt8]?) {
        (self.digest, self.sealed) = (digest, sealed)
    }

    /// The columns for a secret of a client.
    package init(_ secret: String, of client: String, kept: ClientSecret.Storage, _ box: SealedBox) {
        switch kept {
        case .digest: self.init(digest: SHA256.hash(secret), sealed: nil)
        case .sealed:
            self.init(digest: nil, sealed: box.seal(Array(secret.utf8), purpose: Self.purpose(client)))
        }
    }

    /// Nil for a client without a secret.
    ///
    /// - Throws: ``SealedBoxError`` if the secret is another client's, or its master key is missing.
    func opened(for client: String, _ box: SealedBox) throws(SealedBoxError) -> ClientSecret? {
        if let sealed { return .sealed(Secret(try box.open(sealed, purpose: Self.purpose(client)))) }
        return digest.map(ClientSecret.digest)
    }

    private static func purpose(_ client: String) -> String { "client secret \(client)" }
}
