import Cryptography
import JSON
import Synchronization

/// A key pair with its published id.
struct SigningKey: Sendable {
    let id: String
    let key: PrivateKey
    let algorithm: SignatureAlgorithm

    /// A new key; its id is derived from the key, so that a restart never gives one id to two keys.
    init(style: KeyIDStyle) throws {
        algorithm = style.algorithm
        key = algorithm == .ES256 ? try PrivateKey.generateP256() : try KeyFolder.rsaKey()
        let parameters = key.publicKey.jwk(id: "", algorithm: algorithm)
        id = style.id(of: SHA256.hash(parameters["n"]?.string ?? parameters["x"]?.string ?? ""))
    }

    var publicParameters: JSON { key.publicKey.jwk(id: id, algorithm: algorithm) }
}

/// The form of a provider's key ids.
enum KeyIDStyle: Sendable {
    case apple, amazonWebServices, google, microsoft, plain
    /// The hexadecimal digest of a key for ES256.
    case elliptic

    /// The signature algorithm of the keys.
    var algorithm: SignatureAlgorithm { self == .elliptic ? .ES256 : .RS256 }

    func id(of digest: [UInt8]) -> String {
        switch self {
        case .apple: String(Hex.encode(digest).uppercased().prefix(10))
        case .amazonWebServices: Base64URL.encode(digest) + "="
        case .google: String(Hex.encode(digest).prefix(40))
        case .microsoft: String(Base64URL.encode(digest).prefix(27))
        case .elliptic: Hex.encode(digest)
        case .plain: "acme-" + Hex.encode(digest).prefix(8)
        }
    }
}

/// The keys of one purpose at one provider: the signing key and the published ones.
///
/// Keys are generated at first use, because five RSA keys at start would cost half a second. An unused decoy is
/// published first, since real sets contain several keys. A reader that takes the first one must fail here.
final class KeyRing: Sendable {
    fileprivate struct State {
        var signing: SigningKey?
        var retired: [SigningKey] = []
        var decoy: SigningKey?
        var unpublished: SigningKey?
    }

    private let style: KeyIDStyle
    private let state = Mutex(State())

    init(style: KeyIDStyle) {
        self.style = style
    }

    func signing() throws -> SigningKey {
        try state.withLock { try $0.key(\.signing, style) }
    }

    /// A key of the same kind that no set ever contains.
    func unpublished() throws -> SigningKey {
        try state.withLock { try $0.key(\.unpublished, style) }
    }

    func published() throws -> [SigningKey] {
        try state.withLock { try [$0.key(\.decoy, style), $0.key(\.signing, style)] + $0.retired }
    }

    func rotate(keepOld: Bool) throws {
        let fresh = try SigningKey(style: style)
        state.withLock { state in
            state.retired = keepOld ? [state.signing].compactMap(\.self) + state.retired.prefix(8) : []
            state.signing = fresh
        }
    }

    /// The published set; `hiding` are members that this provider omits.
    func keySet(hiding hidden: [String] = []) throws -> JSON {
        .object(["keys": .array(try published().map { $0.published(hiding: hidden) })])
    }
}

extension SigningKey {
    func published(hiding hidden: [String]) -> JSON {
        var members = publicParameters.object ?? [:]
        for name in hidden { members[name] = nil }
        return .object(members)
    }
}

extension KeyRing.State {
    fileprivate mutating func key(
        _ place: WritableKeyPath<KeyRing.State, SigningKey?>, _ style: KeyIDStyle
    ) throws -> SigningKey {
        if let key = self[keyPath: place] { return key }
        let key = try SigningKey(style: style)
        self[keyPath: place] = key
        return key
    }
}
