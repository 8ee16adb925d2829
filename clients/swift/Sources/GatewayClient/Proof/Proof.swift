import Foundation

/// The claims of a DPoP proof (RFC 9449 section 4.2).
struct Proof: Encodable, Sendable {
    /// Of one request: the server takes each number once.
    let jti = Base64URL.random()
    let htm: String
    let htu: String
    let iat: Int
    let ath: String?
    let nonce: String?

    private struct Header: Encodable {
        let typ = "dpop+jwt"
        let alg = "ES256"
        let jwk: ShownKey
    }

    /// - Parameter ath: the hash of the access token, if the request carries one.
    init(method: String, url: URL, time: Date, ath: String? = nil, nonce: String? = nil) {
        (htm, htu) = (method, url.withoutQuery)
        (iat, self.ath, self.nonce) = (Int(time.timeIntervalSince1970), ath, nonce)
    }

    /// The proof as a compact JWS.
    func signed(with key: ProofKey, by signer: any ProofSigning) throws -> String {
        let parts = [try API.encoder.encode(Header(jwk: key.shown)), try API.encoder.encode(self)]
        let text = parts.map(Base64URL.encode).joined(separator: ".")
        let signature = try signer.signature(for: Data(text.utf8), with: key.bytes)
        return "\(text).\(Base64URL.encode(signature))"
    }
}

extension URL {
    /// The address of the request without query and fragment; an empty path is sent as `/`.
    fileprivate var withoutQuery: String {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return absoluteString }
        (parts.query, parts.fragment) = (nil, nil)
        if parts.percentEncodedPath.isEmpty { parts.percentEncodedPath = "/" }
        return parts.string ?? absoluteString
    }
}
