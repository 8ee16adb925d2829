/// The signature algorithms of RFC 7518 §3.1 that use a key pair.
///
/// There is deliberately no `none` and no `HS…`: a verifier without names for them cannot accept them.
package enum SignatureAlgorithm: String, Sendable, CaseIterable {
    case RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512

    enum Family: Equatable {
        case rsaPKCS1, rsaPSS
        case ecdsa(Curve)
    }

    var family: Family {
        switch self {
        case .RS256, .RS384, .RS512: .rsaPKCS1
        case .PS256, .PS384, .PS512: .rsaPSS
        case .ES256: .ecdsa(.p256)
        case .ES384: .ecdsa(.p384)
        case .ES512: .ecdsa(.p521)
        }
    }

    var digest: DigestAlgorithm {
        switch self {
        case .RS256, .PS256, .ES256: .sha256
        case .RS384, .PS384, .ES384: .sha384
        case .RS512, .PS512, .ES512: .sha512
        }
    }

    func fits(_ kind: KeyKind) -> Bool {
        switch (family, kind) {
        case (.rsaPKCS1, .rsa), (.rsaPSS, .rsa): true
        case (.ecdsa(let wanted), .ec(let curve)): wanted == curve
        case (.rsaPKCS1, .ec), (.rsaPSS, .ec), (.ecdsa, .rsa): false
        }
    }
}
