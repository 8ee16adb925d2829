package import JSON

/// Signs claims with one key.
///
/// The header never changes and is encoded once.
package struct JWTSigner: Sendable {
    package let keyID: String
    package let algorithm: SignatureAlgorithm
    private let key: PrivateKey
    private let encodedHeader: [UInt8]

    package init(key: PrivateKey, keyID: String, algorithm: SignatureAlgorithm, type: String? = "JWT") {
        self.key = key
        self.keyID = keyID
        self.algorithm = algorithm
        var header: JSONObject = ["alg": .string(algorithm.rawValue), "kid": .string(keyID)]
        header["typ"] = type.map(JSON.string)
        encodedHeader = Base64URL.codec.encode(JSON.object(header).bytes()) + [UInt8(ascii: ".")]
    }

    /// The same key for tokens of another type.
    package func typed(_ type: String) -> JWTSigner {
        JWTSigner(key: key, keyID: keyID, algorithm: algorithm, type: type)
    }

    package func sign(_ claims: JSON) throws(OpenSSLError) -> String {
        let signed = signedBytes(claims)
        return token(signed, signature: try key.sign(signed, algorithm: algorithm))
    }

    /// The same claims give the same token on every server that has the key; ES256 only.
    package func signDeterministically(_ claims: JSON) throws(OpenSSLError) -> String {
        guard algorithm == .ES256 else { throw OpenSSLError(draining: .unsuitableKey) }
        let signed = signedBytes(claims)
        return token(signed, signature: try key.signDeterministically(signed))
    }

    private func signedBytes(_ claims: JSON) -> [UInt8] {
        encodedHeader + Base64URL.codec.encode(claims.bytes())
    }

    private func token(_ signed: [UInt8], signature: [UInt8]) -> String {
        String(decoding: signed + [UInt8(ascii: ".")] + Base64URL.codec.encode(signature), as: UTF8.self)
    }
}
