import Cryptography
import FoundationEssentials
import JSON
import Synchronization

/// Checks Apple's client secrets: JWTs signed ES256 with the developer team's key.
///
/// The key is a public one for development. It is derived from a fixed text, so that an existing `.env` stays valid
/// over restarts. Any caller may read it.
final class AppleClientSecrets: Sendable {
    /// Six months, the longest lifetime that Apple's clock allows a secret.
    static let longestLife = 15_777_000.0

    let developmentKey: PrivateKey
    /// Each client, and whether it is a services id.
    private let clients = Mutex<[String: Bool]>([:])

    init() throws(OpenSSLError) {
        developmentKey = try PrivateKey(pkcs8DER: Self.derivedKey)
        reset()
    }

    /// Registers a client id for the team, as a services id once `isService` was given.
    func register(_ client: String, asService isService: Bool) {
        clients.withLock { $0[client] = isService || $0[client] == true }
    }

    /// Whether a client is one of the team's services ids, which represent its web pages.
    func isService(_ client: String) -> Bool {
        clients.withLock { $0.contains { $0.value && $0.key.hasSameBytes(as: client) } }
    }

    func reset() {
        clients.withLock { $0 = [Defaults.appleNativeClient: false, Defaults.appleWebClient: true] }
    }

    /// The team of the secret.
    @discardableResult
    func check(_ secret: String, of client: String, at now: Date) throws(Refusal) -> String {
        guard clients.withLock({ $0.keys.contains(where: client.hasSameBytes) }) else {
            throw refusal("the client id is not known")
        }
        let jwt: JWT
        do { jwt = try JWT(parsing: secret) } catch { throw refusal("the client secret is no JWT (\(error.rawValue))") }
        guard jwt.algorithmName == "ES256" else { throw refusal("the client secret is not signed with ES256") }
        guard jwt.keyID == Defaults.appleKeyID else { throw refusal("the client secret's kid is not the key's id") }
        guard jwt.isSigned(by: developmentKey.publicKey, .ES256) else {
            throw refusal("the client secret's signature is not good")
        }
        try checkClaims(jwt.claims, client: client, at: now.timeIntervalSince1970)
        guard let team = jwt.claims["iss"]?.string,
            [Defaults.appleTeam, Defaults.appleNextTeam].contains(where: team.hasSameBytes)
        else { throw refusal("the client secret's iss is not right") }
        return team
    }

    private func checkClaims(_ claims: JSONObject, client: String, at now: TimeInterval) throws(Refusal) {
        let expected = [("sub", client), ("aud", Defaults.appleIssuer)]
        for (name, value) in expected {
            guard let actual = claims[name]?.string, actual.hasSameBytes(as: value) else {
                throw refusal("the client secret's \(name) is not right")
            }
        }
        guard let issued = claims["iat"]?.double, issued <= now + 60 else {
            throw refusal("the client secret's iat is missing or in the future")
        }
        guard let expiry = claims["exp"]?.double, expiry > now else { throw refusal("the client secret has expired") }
        guard expiry <= now + Self.longestLife else { throw refusal("the client secret lives longer than six months") }
    }

    private func refusal(_ reason: String) -> Refusal {
        Refusal.badRequest("invalid_client", "The client could not be authenticated.", reason: reason)
    }

    /// PKCS#8 (RFC 5208) around an EC key (RFC 5915) on P-256 with the digest of a fixed text as its scalar.
    private static var derivedKey: [UInt8] {
        let ecPublicKey = DER.object([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01])
        let prime256v1 = DER.object([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
        let scalar = SHA256.hash("provider-simulator: Apple development key, known to everybody")
        let key = DER.sequence(DER.integer([1]), DER.octetString(scalar))
        return DER.sequence(DER.integer([0]), DER.sequence(ecPublicKey, prime256v1), DER.octetString(key))
    }
}
