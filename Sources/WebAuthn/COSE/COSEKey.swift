import Cryptography

/// A credential's public key (RFC 9052 §7, WebAuthn §6.5.1.1).
struct COSEKey: Sendable {
    private enum Material: Sendable {
        case es256(PublicKey)
        case edDSA(Ed25519PublicKey)
        case rs256(PublicKey)
    }

    let algorithm: COSEAlgorithm
    private let material: Material

    /// Reads a stored key.
    init(parsing bytes: [UInt8]) throws(WebAuthnError) {
        let value: CBOR
        do throws(CBORError) {
            value = try CBOR(parsing: bytes)
        } catch {
            throw .publicKeyMalformed
        }
        try self.init(value)
    }

    init(_ value: CBOR) throws(WebAuthnError) {
        guard value.map != nil, let number = value[Label.algorithm]?.integer else { throw .publicKeyMalformed }
        guard let algorithm = COSEAlgorithm(rawValue: number) else { throw .algorithmNotAllowed }
        self.algorithm = algorithm
        material =
            switch algorithm {
            case .es256: .es256(try Self.ellipticCurve(value))
            case .edDSA: .edDSA(try Self.octetKeyPair(value))
            case .rs256: .rs256(try Self.rsa(value))
            }
    }

    /// Whether the signature, in the form of WebAuthn §6.5.5 (DER for ES256), was made over the message with the
    /// private key.
    func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        switch material {
        case .es256(let key): key.verify(der: signature, of: message, algorithm: .ES256)
        case .edDSA(let key): key.verify(signature, of: message)
        case .rs256(let key): key.verify(signature, of: message, algorithm: .RS256)
        }
    }
}

/// Labels of RFC 9052 §7.1, then those of RFC 9053 §7 and of RFC 8230 §4, which give the same numbers other meanings.
private enum Label {
    static let keyType = 1
    static let algorithm = 3
    static let curve = -1
    static let x = -2
    static let y = -3
    static let modulus = -1
    static let exponent = -2
}

/// The registry "COSE Key Types".
private enum KeyType {
    static let octetKeyPair = 1
    static let ellipticCurve = 2
    static let rsa = 3
}

/// The registry "COSE Elliptic Curves".
private enum CurveNumber {
    static let p256 = 1
    static let ed25519 = 6
}

extension COSEKey {
    /// The y coordinate is written out: WebAuthn §6.5.1.1 has no compressed points.
    private static func ellipticCurve(_ value: CBOR) throws(WebAuthnError) -> PublicKey {
        try check(value, keyType: KeyType.ellipticCurve, curve: CurveNumber.p256, members: 5)
        guard let x = value[Label.x]?.bytes, let y = value[Label.y]?.bytes else { throw .publicKeyMalformed }
        do throws(JWKError) {
            return try PublicKey(p256X: x, y: y)
        } catch {
            throw .publicKeyUnsuitable
        }
    }

    private static func octetKeyPair(_ value: CBOR) throws(WebAuthnError) -> Ed25519PublicKey {
        try check(value, keyType: KeyType.octetKeyPair, curve: CurveNumber.ed25519, members: 4)
        guard let x = value[Label.x]?.bytes else { throw .publicKeyMalformed }
        do throws(OpenSSLError) {
            return try Ed25519PublicKey(x)
        } catch {
            throw .publicKeyUnsuitable
        }
    }

    private static func rsa(_ value: CBOR) throws(WebAuthnError) -> PublicKey {
        try check(value, keyType: KeyType.rsa, curve: nil, members: 4)
        guard let modulus = value[Label.modulus]?.bytes, let exponent = value[Label.exponent]?.bytes else {
            throw .publicKeyMalformed
        }
        do throws(JWKError) {
            return try PublicKey(rsaModulus: modulus, exponent: exponent)
        } catch {
            throw .publicKeyUnsuitable
        }
    }

    /// Refuses a kind or curve that does not match the algorithm, and superfluous members, which WebAuthn forbids.
    private static func check(_ value: CBOR, keyType: Int, curve: Int?, members: Int) throws(WebAuthnError) {
        guard value.map?.count == members, let presented = value[Label.keyType]?.integer else {
            throw .publicKeyMalformed
        }
        guard presented == keyType else { throw .publicKeyUnsuitable }
        guard let curve else { return }
        guard let presented = value[Label.curve]?.integer else { throw .publicKeyMalformed }
        guard presented == curve else { throw .publicKeyUnsuitable }
    }
}
