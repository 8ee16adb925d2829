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
    ///
    /// - Parameter type: nil for a header without a type.
    package func typed(_ type: String?) -> JWTSigner {
        JWTSigner(key: key, keyID: keyID, algorithm: algorithm, type: type)
    }

    package func sign(_ claims: JSON) throws(OpenSSLError) -> String {
        var token = signedBytes(claims)
        let signature = try key.sign(token, algorithm: algorithm)
        return Self.text(&token, signature)
    }

    private func signedBytes(_ claims: JSON) -> [UInt8] {
        let bytes = claims.bytes()
        var signed: [UInt8] = []
        // Reserves room for the signature, so that appending it copies nothing.
        signed.reserveCapacity(encodedHeader.count + bytes.count * 4 / 3 + 128)
        signed += encodedHeader
        Base64URL.codec.append(bytes, to: &signed)
        return signed
    }

    private static func text(_ token: inout [UInt8], _ signature: [UInt8]) -> String {
        token.append(UInt8(ascii: "."))
        Base64URL.codec.append(signature, to: &token)
        return String(decoding: token, as: UTF8.self)
    }
}
