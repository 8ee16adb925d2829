package import JSON

/// The public half of a key pair: checks signatures and describes itself as a JWK.
package final class PublicKey: Sendable {
    private let handle: KeyHandle
    private let numbers: KeyNumbers

    var kind: KeyKind { handle.kind }

    init(_ handle: KeyHandle) throws(OpenSSLError) {
        self.handle = handle
        numbers = try KeyNumbers(of: handle)
    }

    /// Reads the key material of a JWK (RFC 7518 §6).
    ///
    /// ``JWK`` checks the permitted uses of the key.
    package convenience init(jwk: JSON) throws(JWKError) {
        try self.init(KeyNumbers(jwk: jwk))
    }

    /// Makes the key from checked numbers.
    init(_ numbers: KeyNumbers) throws(JWKError) {
        do throws(OpenSSLError) {
            handle = try numbers.makeHandle()
        } catch {
            throw .unsuitableKey
        }
        self.numbers = numbers
    }

    /// Whether the private half made the signature, in the form of JOSE (raw `r‖s` for ES…).
    ///
    /// False for any mismatch: another kind of key, a wrong length, numbers out of range.
    package func verify(_ signature: [UInt8], of message: Span<UInt8>, algorithm: SignatureAlgorithm) -> Bool {
        guard algorithm.fits(kind), signature.count == kind.signatureLength else { return false }
        let digest = algorithm.digest.hash(message)
        switch algorithm.family {
        case .rsaPKCS1, .rsaPSS:
            return SignatureContext.verify(signature, digest: digest, key: handle, algorithm: algorithm)
        case .ecdsa(let curve):
            guard let der = ECDSASignature.der(raw: signature, curve: curve) else { return false }
            return SignatureContext.verify(der, digest: digest, key: handle, algorithm: algorithm)
        }
    }

    /// The same for an array.
    package func verify(_ signature: [UInt8], of message: [UInt8], algorithm: SignatureAlgorithm) -> Bool {
        verify(signature, of: message.span, algorithm: algorithm)
    }

    /// The key as a member of a published set: `kty`, its numbers, `kid`, `alg` and `use`.
    package func jwk(id: String, algorithm: SignatureAlgorithm) -> JSON {
        var members = numbers.jwkMembers
        members["kid"] = .string(id)
        members["alg"] = .string(algorithm.rawValue)
        members["use"] = "sig"
        return .object(members)
    }

    /// The SHA-256 thumbprint of the key, in base64url (RFC 7638): the members in the order of their names.
    package var thumbprint: String {
        let members = numbers.jwkMembers
        let ordered = members.members.map(\.name).sorted().map { name in
            "\(JSON.string(name).text):\((members[name] ?? .null).text)"
        }
        return Base64URL.encode(SHA256.hash("{" + ordered.joined(separator: ",") + "}"))
    }
}
