import Cryptography
import Foundation
import JSON

/// A DPoP proof: a JWT that shows the possession of a key for one request (RFC 9449 §4.2).
struct KeyProof: Sendable {
    static let algorithms: Set<SignatureAlgorithm> = [.ES256, .PS256, .RS256]
    private static let type = "dpop+jwt"
    /// In bytes.
    private static let (longest, longestID) = (4_096, 128)
    /// Seconds by which the clock of the client may differ.
    private static let drift = 300.0
    /// Members that name a key elsewhere, or that demand what we do not check.
    private static let refused = ["x5u", "jku", "crit"]

    /// Names the key (RFC 7638).
    let thumbprint: String
    let nonce: String?
    /// Names the proof in the ledger of single-use values.
    let digest: [UInt8]
    /// In seconds, how long the ledger must keep it.
    let life: Int

    /// Checks everything but the nonce and the earlier use (§4.3).
    ///
    /// - Parameter token: the access token that the request presents; nil for none.
    /// - Returns: nil for a text that is no proof for this request now.
    init?(_ text: String, for request: ProvedRequest, with token: String?, at now: Date) {
        guard let jwt = try? JWT(parsing: text, maximumLength: Self.longest), jwt.header["typ"]?.string == Self.type,
            !Self.refused.contains(where: { jwt.header[$0] != nil }), let key = Self.signer(of: jwt)
        else { return nil }
        let claims = jwt.claims
        guard claims["htm"]?.string == request.method, claims["htu"]?.string.map(request.isAt) == true,
            let id = claims["jti"]?.string, (1...Self.longestID).contains(id.utf8.count),
            let issued = claims["iat"]?.double, abs(issued - now.timeIntervalSince1970) <= Self.drift
        else { return nil }
        guard token.map({ claims["ath"]?.string == Base64URL.encode(SHA256.hash($0)) }) ?? true else { return nil }
        thumbprint = key.thumbprint
        nonce = claims["nonce"]?.string
        digest = SHA256.hash("key proof \(thumbprint) \(id)")
        life = Int((issued + Self.drift - now.timeIntervalSince1970).rounded(.up)) + 1
    }

    /// The key in the header, if it made the signature.
    private static func signer(of jwt: JWT) -> PublicKey? {
        guard let algorithm = SignatureAlgorithm(rawValue: jwt.algorithmName), algorithms.contains(algorithm),
            let members = jwt.header["jwk"], let key = try? PublicKey(jwk: members), jwt.isSigned(by: key, algorithm)
        else { return nil }
        return key
    }
}
